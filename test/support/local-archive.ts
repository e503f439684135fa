import type { IncomingMessage, ServerResponse } from "node:http";

/** A copy as a test keeps it in the local archive. */
export interface KeptCopy {
  readonly at: number;
  readonly body: string;
  /** 200 unless told. */
  readonly status?: number;
  /** Headers with which the page was sent then, shown as `x-archive-orig-…`. */
  readonly sent?: Readonly<Record<string, string>>;
}

/**
 * A web archive as RFC 7089 describes it, with datetime negotiation at a TimeGate of its own (section 4.2), TimeMaps as
 * link-format (section 5), and copies at fixed addresses in the Wayback Machine's three forms: with a banner and rewritten
 * links, and unchanged below `id_`.
 */
export interface LocalArchive {
  /** By the address of the page. */
  readonly copies: Map<string, KeptCopy[]>;
  /** Its requests, in order: `GET /web/…`. */
  readonly asked: string[];
  /** Checked before anything else: answers in place of the archive, and says so by `true`. */
  fault?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Answers requests to the archive's host. */
  answer(request: IncomingMessage, response: ServerResponse): void;
}

export const archiveHost = "archive.example.org";
export const timegate = `https://${archiveHost}/web/`;

export const stamp = (at: number) => new Date(at).toISOString().replace(/\D/g, "").slice(0, 14);
const written = (at: number) => new Date(at).toUTCString();

export function localArchive(): LocalArchive {
  const archive: LocalArchive = { copies: new Map(), asked: [], answer };

  function answer(request: IncomingMessage, response: ServerResponse): void {
    archive.asked.push(`${request.method} ${request.url}`);
    if (archive.fault?.(request, response)) return;
    const path = request.url ?? "";
    const copy = /^\/web\/(\d{14})([a-z]{2}_)?\/(.+)$/.exec(path);
    const map = /^\/web\/timemap\/link\/(.+)$/.exec(path);
    const gate = /^\/web\/(https?:.+)$/.exec(path);
    if (map) timemap(map[1] ?? "", response);
    else if (copy) memento(copy[3] ?? "", copy[1] ?? "", copy[2] ?? "", response);
    else if (gate) negotiate(gate[1] ?? "", request, response);
    else response.writeHead(404, { "content-type": "text/html" }).end("<!doctype html><title>404</title>Not here");
  }

  function links(url: string): string[] {
    const all = (archive.copies.get(url) ?? []).toSorted((a, b) => a.at - b.at);
    const one = ({ at }: KeptCopy, i: number) => {
      const place = [...(i === 0 ? ["first"] : []), ...(i === all.length - 1 ? ["last"] : []), "memento"].join(" ");
      return `<${timegate}${stamp(at)}/${url}>; rel="${place}"; datetime="${written(at)}"`;
    };
    return [
      `<${url}>; rel="original"`,
      `<${timegate}timemap/link/${url}>; rel="timemap"; type="application/link-format"`,
      `<${timegate}${url}>; rel="timegate"`,
      ...all.map(one),
    ];
  }

  function nearest(url: string, to: number): KeptCopy | undefined {
    return (archive.copies.get(url) ?? []).toSorted((a, b) => Math.abs(a.at - to) - Math.abs(b.at - to))[0];
  }

  function negotiate(url: string, request: IncomingMessage, response: ServerResponse): void {
    const wanted = Date.parse(String(request.headers["accept-datetime"] ?? "")) || Date.now();
    const copy = nearest(url, wanted);
    if (!copy) return void response.writeHead(404, { vary: "accept-datetime" }).end();
    response
      .writeHead(302, {
        vary: "accept-datetime",
        location: `${timegate}${stamp(copy.at)}/${url}`,
        link: links(url).join(", "),
      })
      .end();
  }

  function timemap(url: string, response: ServerResponse): void {
    response.writeHead(200, { "content-type": "application/link-format" }).end(links(url).join(",\n"));
  }

  function memento(url: string, told: string, form: string, response: ServerResponse): void {
    const [year, month, ...rest] = (told.match(/^\d{4}|\d{2}/g) ?? []).map(Number);
    const wanted = Date.UTC(year ?? 0, (month ?? 1) - 1, ...(rest as [number]));
    const copy = nearest(url, wanted);
    if (!copy) return void response.writeHead(404).end();
    const { at, body, status = 200, sent = {} } = copy;
    if (stamp(at) !== told)
      return void response.writeHead(302, { location: `${timegate}${stamp(at)}${form}/${url}` }).end();
    const own = Object.fromEntries(Object.entries(sent).map(([name, value]) => [`x-archive-orig-${name}`, value]));
    response
      .writeHead(status, {
        "content-type": "text/html; charset=utf-8",
        "memento-datetime": written(at),
        link: links(url).join(", "),
        ...own,
      })
      .end(form === "id_" ? body : shown(body, stamp(at)));
  }

  return archive;
}

/** A copy as people see it in the Wayback Machine. */
function shown(body: string, told: string): string {
  return body
    .replace(
      "<head>",
      `<head><script src="https://${archiveHost}/_static/js/ait.js"></script>
<!-- End Wayback Rewrite JS Include -->
`,
    )
    .replace(
      "<body>",
      `<body><!-- BEGIN WAYBACK TOOLBAR INSERT -->
<div id="wm-ipp-base"><h1>The archive has 1,234 captures of this page</h1><p>Please donate 512 GB of memory.</p></div>
<!-- END WAYBACK TOOLBAR INSERT -->`,
    )
    .replace(/(href|src)="(https?:\/\/[^"]*)"/g, (_, name, to) => `${name}="/web/${told}/${to}"`);
}
