import { z } from "zod";
import { kindOf } from "../../../config/draft/watched.ts";
import { instantOf } from "../../../read/formats/body.ts";
import { onGitHub } from "../../../read/formats/github.ts";
import { failureOf, type Sight, see, sourceOf, type Web } from "../add/ask.ts";
import { formOf, forms, linksOf, sharedWords, successorsOf } from "../add/links.ts";
import { isSameSite } from "../add/proposal.ts";
import { type LookingTime, lookInTurn } from "../in-turn.ts";
import type { Cited } from "./cited.ts";
import type { Sighted, Whole } from "./findings.ts";

/** Looks at every citation once; those for which there was no time are left out. */
export async function lookAtAll(all: readonly Cited[], web: Web, turns: LookingTime): Promise<Sighted[]> {
  const wholes = new Map<string, Promise<Sight>>();
  const hostOf = ({ address }: Cited) => new URL(address).host;
  return [...(await lookInTurn(all, hostOf, (cited) => lookAt(cited, web, wholes), turns)).values()];
}

async function lookAt(cited: Cited, web: Web, wholes: Map<string, Promise<Sight>>): Promise<Sighted> {
  const watched = kindOf(cited.address, web.readers);
  const repository = onGitHub(new URL(cited.address))?.repo;
  const about = repository === undefined ? undefined : await once(repository, wholes, web);
  const whole = about && wholeOf(about);
  // GitHub's hourly allowance, or the time, was over before its repository was looked at.
  const partly = about?.failure?.kind === "deferred" ? { partly: true } : {};
  // An unseen repository says nothing of what is in it.
  if (whole?.facts.public === "no") return { cited, kind: "github-repo", whole };
  if ("because" in watched)
    return { cited, kind: "file", ...partly, ...(await asFile(cited.address, web)), ...(whole && { whole }) };
  if (repository !== undefined && watched.address === repository)
    return { cited, kind: "github-repo", ...(about?.failure && { failure: about.failure }), ...(whole && { whole }) };
  const first = await see(watched, web);
  // One service does not know it: another may, and its page tells. Such a page is not the paper or package itself.
  const unknown = first.failure?.kind === "not-found" && !forms.has(watched.kind);
  const there = unknown ? await see({ kind: "page", address: cited.address }, web) : first;
  const { kind: form, ...came } = await formed(there, web);
  const kind = unknown ? watched.kind : form;
  const ofVersion = watched.instead === true && { ofVersion: true };
  const sighted = { cited, kind, ...came, ...partly, ...ofVersion, ...(whole && { whole }) };
  const { facts } = came.reading ?? {};
  if (!forms.has(kind)) return facts && !whole ? { ...sighted, whole: { name: watched.address, facts } } : sighted;
  const current = kind === "page" ? await currentOf(sighted, came.response, web) : undefined;
  return { ...sighted, ...(current !== undefined && { current }) };
}

type Came = Pick<Sighted, "url" | "moved" | "reading" | "failure"> & {
  readonly kind: string;
  readonly response?: Sight["response"];
};

/** A page, a text or a PDF is what comes, whatever its address looks like. */
async function formed({ candidate, response, moved, reading, failure }: Sight, web: Web): Promise<Came> {
  const common = { ...(response && { response, url: response.url }), ...(moved !== undefined && { moved }) };
  const form = failure?.kind === "wrong-type" && response && forms.has(candidate.kind) ? formOf(response) : undefined;
  const reader = form && "kind" in form ? web.readers.get(form.kind) : undefined;
  if (!response || !reader || reader.kind === candidate.kind)
    return { kind: candidate.kind, ...common, ...(reading && { reading }), ...(failure && { failure }) };
  const source = sourceOf({ kind: reader.kind, address: candidate.address });
  try {
    return { kind: reader.kind, ...common, reading: await reader.read(response, source) };
  } catch (error) {
    return { kind: reader.kind, ...common, failure: failureOf(error) };
  }
}

/** A picture, an archive: whether it is there. */
async function asFile(url: string, { fetch }: Web): Promise<Pick<Sighted, "url" | "moved" | "failure">> {
  try {
    const fetched = await fetch.get({ url }, {});
    if (fetched.kind !== "response") return {};
    return { url: fetched.response.url, ...(fetched.moved !== undefined && { moved: fetched.moved }) };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

/** One look at a repository, however often it is cited. */
function once(repository: string, wholes: Map<string, Promise<Sight>>, web: Web): Promise<Sight> {
  const key = repository.toLowerCase();
  const known = wholes.get(key);
  if (known) return known;
  const sight = see({ kind: "github-repo", address: repository }, web);
  wholes.set(key, sight);
  return sight;
}

const pushed = z.object({ pushed_at: z.string() });

/** https://docs.github.com/rest/repos/repos#get-a-repository: `pushed_at` is when anything was pushed last. */
function wholeOf({ candidate, reading, response }: Sight): Whole | undefined {
  if (!reading?.facts || !response) return undefined;
  const parsed = response.status === 200 ? pushed.safeParse(json(response.body)) : undefined;
  const active = parsed?.success ? instantOf(parsed.data.pushed_at) : undefined;
  return {
    name: candidate.address,
    kind: candidate.kind,
    facts: reading.facts,
    ...(active !== undefined && { active }),
  };
}

function json(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** Words that a page of one version and its current one share at least; else they are about something else. */
const sameSubject = 0.3;

/** The same page for the version that is current, where there is one and it was read. */
async function currentOf(
  { cited, reading }: Sighted,
  response: Sight["response"],
  web: Web,
): Promise<string | undefined> {
  if (!reading?.blocks || !response) return undefined;
  const links = linksOf(new TextDecoder().decode(response.body), response.url);
  for (const address of successorsOf(cited.address, links)) {
    if (!isSameSite(address, cited.address)) continue;
    const sight = await see({ kind: "page", address }, web);
    const there = sight.response?.url ?? address;
    if (
      sight.reading?.blocks &&
      there !== response.url &&
      sharedWords(reading.blocks, sight.reading.blocks) >= sameSubject
    )
      return there;
  }
  return undefined;
}
