/** How an address is best watched. */
export interface Watched {
  readonly kind: string;
  readonly address: string;
  readonly options?: Readonly<Record<string, string>>;
  /** The cited page itself is not what is watched: this moves in its place. */
  readonly instead?: boolean;
  /** Why the page looks as if it never changes. */
  readonly frozen?: string;
}

/** Which kind of source an address is, by its shape alone; or why nothing can be read of it. */
export function kindOf(address: string): Watched | { readonly because: string } {
  const url = new URL(address);
  const host = url.hostname.replace(/^www\./, "");
  const parts = url.pathname.split("/").filter(Boolean).map(decoded);
  const known = host === "github.com" ? onGitHub(parts) : elsewhere(host, parts, url);
  if (known) return known;
  if (
    /\.(?:png|jpe?g|gif|svg|webp|ico|mp4|webm|mov|mp3|wav|zip|gz|tgz|xz|7z|dmg|exe|whl|iso|pptx?|docx?|xlsx?)$/i.test(
      url.pathname,
    )
  ) {
    return { because: "a picture, recording, archive or office file: nothing of it is read" };
  }
  const kind = byForm(url);
  // A feed moves wherever it stands: in a blog, or below a version.
  const frozen = kind === "feed" ? undefined : frozenBy(url);
  return { kind, address, ...(frozen && { frozen }) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function byForm(url: URL): string {
  const { pathname, hostname } = url;
  if (/\.pdf$/i.test(pathname) || (/(?:^|\.)arxiv\.org$/.test(hostname) && pathname.startsWith("/pdf/"))) return "pdf";
  if (isFeed(url)) return "feed";
  return /\.(?:md|markdown|rst|txt|ya?ml|json|toml|csv)$/i.test(pathname) ? "text" : "page";
}

/** First parts of paths on GitHub that are no owner. */
const ofGitHub = new Set(
  "about apps blog collections contact customer-stories enterprise events explore features gist join login marketplace mobile new notifications orgs organizations pricing readme resources search security settings site solutions sponsors stars team topics trending users".split(
    " ",
  ),
);

/** Spec of its addresses: https://docs.github.com/rest */
function onGitHub([owner = "", name = "", section, ...rest]: readonly string[]): Watched | undefined {
  if (name === "" || ofGitHub.has(owner.toLowerCase())) return undefined;
  const repo = `${owner}/${name.replace(/\.git$/, "")}`;
  const [first = ""] = rest;
  switch (section) {
    case undefined:
      return { kind: "github-repo", address: repo };
    case "releases":
    case "releases.atom":
    case "tags":
      return { kind: "github-releases", address: repo, ...(first !== "" && { instead: true }) };
    case "issues":
      return /^\d{1,9}$/.test(first) ? { kind: "github-issue", address: `${repo}#${Number(first)}` } : undefined;
    case "pull":
      return /^\d{1,9}$/.test(first) ? { kind: "github-pull", address: `${repo}#${Number(first)}` } : undefined;
    case "blob":
    case "raw":
      return file(repo, rest);
    case "tree":
      return folder(repo, rest);
    case "commits":
    case "commits.atom":
      return folder(repo, withoutAtom(rest));
    default:
      return undefined;
  }
}

/** What a feed of commits is about: `main/src.atom` → `main/src`. */
function withoutAtom(parts: readonly string[]): readonly string[] {
  return parts.map((part, i) => (i === parts.length - 1 ? part.replace(/\.atom$/, "") : part));
}

function folder(repo: string, [branch, ...path]: readonly string[]): Watched | undefined {
  if (branch === undefined || path.length === 0) return { kind: "github-commits", address: repo };
  if (isPinned(branch)) return undefined;
  return { kind: "github-commits", address: repo, options: { path: path.join("/"), branch } };
}

/** A file of a repository is read as it is, not as the page that shows it. */
function file(repo: string, [branch, ...path]: readonly string[]): Watched | undefined {
  const last = path.at(-1);
  if (branch === undefined || last === undefined) return undefined;
  const address = `https://raw.githubusercontent.com/${repo}/${[branch, ...path].map(encodeURIComponent).join("/")}`;
  if (/\.(?:png|jpe?g|gif|svg|webp)$/i.test(last)) return undefined;
  const kind = /\.pdf$/i.test(last) ? "pdf" : "text";
  return { kind, address, ...(isPinned(branch) && { frozen: "it is of one commit or version" }) };
}

/** A commit or a tag of a version: it never moves. */
function isPinned(ref: string): boolean {
  return /^[\da-f]{7,40}$/.test(ref) || /^v?\d+(?:\.\d+)+$/.test(ref);
}

function elsewhere(host: string, parts: readonly string[], url: URL): Watched | undefined {
  const [first = "", second = "", third] = parts;
  if (host === "pypi.org" && first === "project" && second) {
    return { kind: "pypi", address: second, ...(third !== undefined && { instead: true }) };
  }
  if (host === "hub.docker.com" && first === "r" && third !== undefined) return image(`${second}/${third}`);
  if (host === "hub.docker.com" && first === "_" && second) return image(second);
  if (host === "raw.githubusercontent.com" && parts.length > 3) return file(`${first}/${second}`, parts.slice(2));
  if (parts.includes("-") && url.pathname.includes("/-/blob/") && byForm(url) === "text") {
    return { kind: "text", address: url.href.replace("/-/blob/", "/-/raw/") };
  }
  return undefined;
}

function image(address: string): Watched {
  return { kind: "container-tags", address: address.toLowerCase() };
}

/** Feeds as the usual generators of sites call them. */
const byPath: readonly RegExp[] = [
  /\.(?:rss|atom|rdf)(?:\.xml)?$/i,
  /\/(?:feed|rss2?|atom|rdf)(?:\.xml)?$/i,
  /\/(?:feed\.json|index\.xml|feed_(?:rss|json)_(?:created|updated)\.(?:xml|json))$/i,
  // All that stands in a folder of feeds, and what some name behind it: a person, a blog, a label.
  /\/(?:feeds?|rss|atom)\/[^/]+\.xml$/i,
  /^\/feed\/[^/]+(?:\/tagged\/[^/]+)?$/i,
  /^\/feeds\/(?:\d+\/)?(?:posts|comments)\/(?:default|full|summary)(?:\/-\/[^/]+)?$/i,
];

/** Whether an address is that of a feed, by its form alone. */
function isFeed({ hostname, pathname, searchParams }: URL): boolean {
  const path = pathname.replace(/\/$/, "");
  if (byPath.some((form) => form.test(path))) return true;
  if (/^(?:rss|atom|feeds?)\./i.test(hostname) && path !== "") return true;
  return ["feed", "format", "alt"].some((key) => /^(?:feed|rss2?|atom|rdf)$/i.test(searchParams.get(key) ?? ""));
}

/** Why a page looks as if it is written once and never changed: by signs in its address that hold for any publisher. */
export function frozenBy({ hostname, pathname }: URL): string | undefined {
  const path = pathname.replace(/\/$/, "");
  if (/\/(?:19|20)\d\d[/-](?:0?[1-9]|1[0-2])(?:[/-]|$)/.test(path)) return "its address holds a date";
  if (/\/[\da-f]{40}(?:\/|$)/.test(path)) return "its address holds a commit";
  if (/(?:^|[/_a-z-])v?\d{1,3}[.-]\d{1,3}(?:[.-]\d{1,3}){0,2}(?:[-_/]|\.html?$|$)/i.test(path))
    return "its address holds a version";
  const posts =
    /\/(?:news|newsroom|press|press-?releases?|blogs?|posts?|articles?|announcements?|stories|abs|doi)(\/.+)/i;
  const [, within = ""] = posts.exec(path) ?? (/^(?:blogs?|news|press|newsroom)\./.test(hostname) ? ["", path] : []);
  if (within !== "" && !isList(path, within)) return "it is a post";
  return /(?:^|\.)doi\.org$/.test(hostname) ? "it is a paper" : undefined;
}

/** Whether what is called this within a blog lists posts: it moves with every new one. */
function isList(path: string, within: string): boolean {
  if (/^\/(?:categor(?:y|ies)|tags?|labels?|authors?)(?:\/|$)/i.test(within)) return true;
  if (/^\/(?:topics?|series|sections?|archives?|page|all|latest|index\.html?)(?:\/[^/]+)?$/i.test(within)) return true;
  // Where one site has many blogs, a short name behind `blogs` is one of them.
  return /\/blogs\/[^/-]+(?:-[^/-]+)?$/i.test(path);
}
