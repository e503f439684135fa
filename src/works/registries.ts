import { decodeXML } from "entities/decode";
import * as z from "zod";
import { jsonIn } from "../read/shared/json-path.ts";
import type { RegisteredAuthor, RegisteredWork } from "./cited-work.ts";
import { withoutNotice } from "./match.ts";

/** The response of a service: its status and its text. Status 0: there was none. */
export interface RegistryAnswer {
  readonly status: number;
  readonly body: string;
}

/** Asks a service, politely: one request at a time for each host. Never throws. */
export type Ask = (url: string) => Promise<RegistryAnswer>;

/** Works, or `unsure` if the service failed, limited us, or answered in another form: nothing follows then. */
export type RegistryWorks = readonly RegisteredWork[] | "unsure";

/** The work of each identifier that a service answered for, or `none`. Missing identifiers are unknown. */
export type WorksByName = ReadonlyMap<string, RegisteredWork | "none">;

function byName(names: readonly string[], works: ReadonlyMap<string, RegisteredWork>): WorksByName {
  return new Map(names.map((name) => [name, works.get(name) ?? "none"]));
}

const list = <S extends z.ZodType>(schema: S) => z.array(schema).nullish().catch(undefined);
const text = z.string().nullish().catch(undefined);

const dateParts = z
  .object({ "date-parts": z.array(z.array(z.number().nullable())).nullish() })
  .nullish()
  .catch(undefined);

/** Spec: https://api.crossref.org/swagger-ui/index.html */
const crossrefShape = z.object({
  DOI: z.string(),
  type: text,
  title: list(z.string()),
  subtitle: list(z.string()),
  "original-title": list(z.string()),
  author: list(z.object({ family: text, given: text, name: text })),
  editor: list(z.object({ family: text, given: text, name: text })),
  "container-title": list(z.string()),
  "short-container-title": list(z.string()),
  publisher: text,
  volume: text,
  page: text,
  "article-number": text,
  issued: dateParts,
  published: dateParts,
  "published-online": dateParts,
  "published-print": dateParts,
  relation: z
    .record(z.string(), z.array(z.object({ id: z.string() })).catch([]))
    .nullish()
    .catch(undefined),
  "updated-by": list(z.object({ type: text })),
  event: z.object({ name: text, acronym: text }).nullish().catch(undefined),
});

const markOfRetraction = /^\[?(?:retracted|withdrawn)(?: article| paper)?\]?\s?[:–—-]/i;

/** Prefixes of the types of works other than articles. Spec: https://api.crossref.org/types */
const otherTypes =
  "book monograph edited-book reference dissertation report dataset standard component grant other".split(" ");

function ofCrossref(work: z.infer<typeof crossrefShape>): RegisteredWork {
  const [title = ""] = work.title ?? [];
  const [subtitle] = work.subtitle ?? [];
  const years = [work.issued, work.published, work["published-online"], work["published-print"]]
    .map((date) => date?.["date-parts"]?.[0]?.[0])
    .filter((year): year is number => typeof year === "number");
  const venues = venuesOf([
    ...(work["container-title"] ?? []),
    ...(work["short-container-title"] ?? []),
    work.event?.name,
    work.event?.acronym,
  ]);
  const isPreprint =
    work.type === "posted-content" ||
    (work.relation?.["is-preprint-of"]?.length ?? 0) > 0 ||
    venues.some((name) => /^\w*rxiv\b/i.test(name));
  return {
    title,
    otherTitles: [...(subtitle ? [`${title}: ${subtitle}`] : []), ...(work["original-title"] ?? [])],
    authors: (work.author?.length ? work.author : (work.editor ?? [])).map(
      ({ family, given, name }): RegisteredAuthor => ({
        family: family ?? name ?? "",
        ...(given && { given }),
      }),
    ),
    years: [...new Set(years)],
    venues,
    ...(work.publisher && { publisher: work.publisher }),
    ...(work.volume && { volume: work.volume }),
    ...((work.page ?? work["article-number"]) && { pages: work.page ?? work["article-number"] ?? "" }),
    doi: work.DOI.toLowerCase(),
    isPreprint,
    isOther: otherTypes.some((type) => work.type?.startsWith(type)) && work.type !== "book-chapter",
    ...(work.relation?.["is-preprint-of"]?.[0] && { publishedAs: work.relation["is-preprint-of"][0].id.toLowerCase() }),
    isRetracted:
      markOfRetraction.test(title) ||
      (work["updated-by"] ?? []).some(({ type }) => /^(?:retraction|removal|withdrawal)$/.test(type ?? "")),
  };
}

function venuesOf(names: readonly (string | null | undefined)[]): string[] {
  return [...new Set(names.filter((name): name is string => typeof name === "string" && name !== ""))];
}

/** Spec: https://docs.openalex.org/api-entities/works/work-object */
const openalexShape = z.object({
  doi: text,
  title: text,
  publication_year: z.number().nullish().catch(undefined),
  type: text,
  is_retracted: z.boolean().nullish().catch(undefined),
  authorships: list(z.object({ author: z.object({ display_name: text }).nullish(), raw_author_name: text })),
  primary_location: z
    .object({ source: z.object({ display_name: text }).nullish() })
    .nullish()
    .catch(undefined),
  biblio: z.object({ volume: text, first_page: text, last_page: text }).nullish().catch(undefined),
});

/** Spec: https://docs.openalex.org/api-entities/sources/source-object */
const sourceShape = z.object({ display_name: z.string(), abbreviated_title: text, alternate_titles: list(z.string()) });

function ofOpenalex(work: z.infer<typeof openalexShape>): RegisteredWork {
  const doi = work.doi?.replace(/^https?:\/\/(?:dx\.)?doi\.org\//i, "").toLowerCase();
  const arxiv = /^10\.48550\/arxiv\.(.+)$/.exec(doi ?? "")?.[1];
  return {
    title: work.title ?? "",
    authors: (work.authorships ?? []).map(({ author, raw_author_name }) =>
      splitName(raw_author_name ?? author?.display_name ?? ""),
    ),
    years: work.publication_year ? [work.publication_year] : [],
    venues: venuesOf([work.primary_location?.source?.display_name]),
    ...(work.biblio?.volume && { volume: work.biblio.volume }),
    ...(work.biblio?.first_page && { pages: work.biblio.first_page }),
    ...(doi && { doi }),
    ...(arxiv && { arxiv }),
    isPreprint: work.type === "preprint",
    isOther: /^(?:book|dissertation|report|dataset|standard)$/.test(work.type ?? ""),
    isRetracted: work.is_retracted === true || markOfRetraction.test(work.title ?? ""),
  };
}

/** `Lawrence Hargrave` → family `Hargrave`. A name without spaces is a family name. */
function splitName(name: string): RegisteredAuthor {
  if (name.includes(",")) {
    const [family = "", given = ""] = name.split(/,\s*/);
    return { family, ...(given && { given }) };
  }
  const words = name.trim().split(/\s+/);
  return { family: words.at(-1) ?? "", ...(words.length > 1 && { given: words.slice(0, -1).join(" ") }) };
}

const dataciteShape = z.object({
  doi: z.string(),
  titles: list(z.object({ title: text })),
  creators: list(z.object({ name: text, familyName: text, givenName: text })),
  publisher: z
    .union([z.string(), z.object({ name: text })])
    .nullish()
    .catch(undefined),
  publicationYear: z.number().nullish().catch(undefined),
  types: z.object({ resourceTypeGeneral: text }).nullish().catch(undefined),
  relatedIdentifiers: list(z.object({ relationType: text, relatedIdentifier: text })),
});

/** Spec: https://support.datacite.org/docs/api-get-doi */
function ofDatacite(work: z.infer<typeof dataciteShape>): RegisteredWork {
  const publisher = typeof work.publisher === "string" ? work.publisher : work.publisher?.name;
  const doi = work.doi.toLowerCase();
  const arxiv = /^10\.48550\/arxiv\.(.+)$/.exec(doi)?.[1];
  const [first, ...rest] = (work.titles ?? []).flatMap(({ title }) => title ?? []);
  // A repository such as Zenodo gives the DOI of all versions of a work in the same way: it has the same prefix.
  const publishedAs = work.relatedIdentifiers
    ?.flatMap(({ relationType, relatedIdentifier }) => (relationType === "IsVersionOf" && relatedIdentifier) || [])
    .find((one) => one.startsWith("10.") && !one.startsWith(`${doi.split("/")[0]}/`));
  return {
    title: first ?? "",
    otherTitles: rest,
    authors: (work.creators ?? []).map(({ name, familyName, givenName }) =>
      familyName ? { family: familyName, ...(givenName && { given: givenName }) } : splitName(name ?? ""),
    ),
    years: work.publicationYear ? [work.publicationYear] : [],
    venues: venuesOf([publisher]),
    doi,
    ...(arxiv && { arxiv }),
    isPreprint: work.types?.resourceTypeGeneral === "Preprint" || arxiv !== undefined,
    isOther: /^(?:Dataset|Software|Book|Dissertation|Report)$/.test(work.types?.resourceTypeGeneral ?? ""),
    ...(publishedAs && { publishedAs: publishedAs.toLowerCase() }),
    isRetracted: false,
  };
}

/** An entry of arXiv's Atom feed. Spec: https://info.arxiv.org/help/api/user-manual.html */
function ofArxiv(entry: string): RegisteredWork | undefined {
  const field = (name: string) => new RegExp(`<${name}(?:\\s[^>]{0,200})?>([^<]{0,4000})</${name}>`).exec(entry)?.[1];
  const number = /arxiv\.org\/abs\/([^\s<]{1,40}?)(?:v\d+)?$/i.exec(field("id") ?? "")?.[1];
  const title = unescapeXml(field("title") ?? "");
  if (number === undefined || title === "") return undefined;
  const years = [field("published"), field("updated")]
    .map((date) => Number(date?.slice(0, 4)))
    .filter((year) => year > 1900);
  const publishedAs = field("arxiv:doi");
  return {
    title,
    authors: [...entry.matchAll(/<name>([^<]{1,300})<\/name>/g)].map(([, name = ""]) => splitName(unescapeXml(name))),
    years: [...new Set(years)],
    venues: ["arXiv", ...venuesOf([field("arxiv:journal_ref")].map((name) => name && unescapeXml(name)))],
    arxiv: number.toLowerCase(),
    isPreprint: true,
    ...(publishedAs && { publishedAs: unescapeXml(publishedAs).trim().toLowerCase() }),
    isRetracted: /\bwithdrawn\b/i.test(field("arxiv:comment") ?? ""),
  };
}

function unescapeXml(xml: string): string {
  return decodeXML(xml).replace(/\s+/g, " ").trim();
}

const pubmedShape = z.object({
  title: text,
  pubdate: text,
  source: text,
  fulljournalname: text,
  volume: text,
  pages: text,
  authors: list(z.object({ name: text })),
  pubtype: list(z.string()),
  articleids: list(z.object({ idtype: text, value: text })),
  error: text,
});

/** Spec: https://www.ncbi.nlm.nih.gov/books/NBK25499/#chapter4.ESummary */
function ofPubmed(summary: z.infer<typeof pubmedShape>): RegisteredWork {
  const year = Number(/\b(?:19|20)\d\d\b/.exec(summary.pubdate ?? "")?.[0]);
  const doi = summary.articleids?.find(({ idtype }) => idtype === "doi")?.value;
  return {
    title: (summary.title ?? "").replace(/\.$/, ""),
    authors: (summary.authors ?? []).map(({ name }) => {
      const words = (name ?? "").split(" ");
      return {
        family: words.slice(0, -1).join(" ") || (name ?? ""),
        ...(words.length > 1 && { given: words.at(-1) ?? "" }),
      };
    }),
    years: year > 0 ? [year] : [],
    venues: venuesOf([summary.source, summary.fulljournalname]),
    ...(summary.volume && { volume: summary.volume }),
    ...(summary.pages && { pages: summary.pages }),
    ...(doi && { doi: doi.toLowerCase() }),
    isPreprint: false,
    isRetracted:
      (summary.pubtype ?? []).includes("Retracted Publication") || markOfRetraction.test(summary.title ?? ""),
  };
}

function json<S extends z.ZodType>({ status, body }: RegistryAnswer, schema: S): z.infer<S> | undefined {
  return status === 200 ? schema.safeParse(jsonIn(body)).data : undefined;
}

/** How many works one request asks for, at most. */
const mostWorks = 50;

export function createRegistries(ask: Ask) {
  const crossrefOne = z.object({ message: crossrefShape });
  const crossrefMany = z.object({ message: z.object({ items: z.array(z.unknown()) }) });
  const openalexMany = z.object({ results: z.array(z.unknown()) });
  // A service that answers with more than it was asked for is not worth the time.
  const each = <S extends z.ZodType>(schema: S, items: readonly unknown[]) =>
    items.slice(0, mostWorks).flatMap((item) => schema.safeParse(item).data ?? []) as z.infer<S>[];

  const answerOf = async <S extends z.ZodType>(url: string, schema: S) => json(await ask(url), schema);

  /** Spec: https://www.handle.net/hnr_documentation.html (1: it is there, 100: it is not) */
  const handleCode = async (doi: string) => {
    const { status, body } = await ask(`https://doi.org/api/handles/${encodeURIComponent(doi)}`);
    return json({ body, status: status === 404 ? 200 : status }, z.object({ responseCode: z.number() }))?.responseCode;
  };

  const preprints = async (query: string) => {
    const { status, body } = await ask(`https://export.arxiv.org/api/query?${query}`);
    if (status !== 200 || !body.includes("<feed") || body.includes("arxiv.org/api/errors")) return undefined;
    const [, ...entries] = body.split("<entry>");
    return entries.flatMap((entry) => ofArxiv(entry) ?? []);
  };

  return {
    /** The work of a DOI at Crossref, or else at DataCite, or else whether the DOI system knows it at all. */
    async byDoi(doi: string): Promise<RegisteredWork | "unregistered" | "unsure"> {
      const path = encodeURIComponent(doi);
      if (!/^10\.(?:48550|5281|6084|17605|5061)\//.test(doi)) {
        const answer = await ask(`https://api.crossref.org/v1/works/${path}`);
        const work = json(answer, crossrefOne)?.message;
        if (work?.title?.length) return ofCrossref(work);
        if (answer.status !== 404) return "unsure";
      }
      const answer = await ask(`https://api.datacite.org/dois/${path}`);
      const work = json(answer, z.object({ data: z.object({ attributes: dataciteShape }) }))?.data.attributes;
      if (work) return ofDatacite(work);
      if (answer.status !== 404) return "unsure";
      return (await handleCode(doi)) === 100 ? "unregistered" : "unsure";
    },

    /** Whether the DOI system has the DOI of its own handbook. If not, something else answers in its place. */
    async knowsItsHandbook(): Promise<boolean> {
      return (await handleCode("10.1000/182")) === 1;
    },

    /** The works of up to 50 DOIs at OpenAlex, in one request. It does not have all works. */
    async openalexByDois(dois: readonly string[]): Promise<WorksByName> {
      const names = dois.map((doi) => encodeURIComponent(doi).replaceAll("%2F", "/")).join("|");
      const url = `https://api.openalex.org/works?filter=doi:${names}&per-page=${mostWorks}`;
      const answer = await answerOf(url, openalexMany);
      if (!answer) return new Map();
      const works = each(openalexShape, answer.results).map(ofOpenalex);
      return byName(dois, new Map(works.map((work) => [work.doi ?? "", work])));
    },

    async byArxiv(numbers: readonly string[]): Promise<WorksByName> {
      const works = await preprints(
        `id_list=${numbers.map(encodeURIComponent).join(",")}&max_results=${numbers.length}`,
      );
      // A single number that arXiv cannot parse makes the whole list an error.
      if (works === undefined) return new Map();
      return byName(numbers, new Map(works.map((work) => [work.arxiv ?? "", work])));
    },

    async byPubmed(numbers: readonly string[]): Promise<WorksByName> {
      const url = `https://eutils.ncbi.nlm.nih.gov/entrez/eutils/esummary.fcgi?db=pubmed&retmode=json&id=${numbers.join(",")}`;
      const answer = await answerOf(url, z.object({ result: z.record(z.string(), z.unknown()) }));
      if (!answer) return new Map();
      return new Map(
        numbers.flatMap((number) => {
          const summary = pubmedShape.safeParse(answer.result[number]).data;
          return summary === undefined ? [] : [[number, summary.error ? "none" : ofPubmed(summary)] as const];
        }),
      );
    },

    /** The most similar works at Crossref. It always finds some. */
    async searchCrossref(words: string, rows = 6): Promise<RegistryWorks> {
      const url = `https://api.crossref.org/works?query.bibliographic=${encodeURIComponent(words)}&rows=${rows}`;
      const { items = [] } = (await answerOf(url, crossrefMany))?.message ?? {};
      // Crossref always finds some, and never more than it was asked for: another list is no answer.
      return items.length === 0 || items.length > rows ? "unsure" : each(crossrefShape, items).map(ofCrossref);
    },

    async searchOpenalex(words: string, rows = 6): Promise<RegistryWorks> {
      const url = `https://api.openalex.org/works?filter=title.search:${encodeURIComponent(words)}&per-page=${rows}`;
      const answer = await answerOf(url, openalexMany);
      return answer === undefined ? "unsure" : each(openalexShape, answer.results).map(ofOpenalex);
    },

    /** Preprints at arXiv whose title has these words. */
    async searchArxiv(words: string): Promise<RegistryWorks> {
      const query = words
        .split(" ")
        .map((word) => `ti:${word}`)
        .join(" AND ");
      return (await preprints(`search_query=${encodeURIComponent(query)}&max_results=${mostWorks}`)) ?? "unsure";
    },

    /** Titles of journals at Crossref that a name may mean. */
    async journals(name: string): Promise<readonly string[] | "unsure"> {
      const crossref = await answerOf(
        `https://api.crossref.org/journals?query=${encodeURIComponent(name)}&rows=20`,
        z.object({ message: z.object({ items: z.array(z.object({ title: z.string() })) }) }),
      );
      return crossref?.message.items.map(({ title }) => title) ?? "unsure";
    },

    /** The same for journals, series and servers at OpenAlex, with their abbreviations. */
    async sources(name: string): Promise<readonly string[] | "unsure"> {
      const openalex = await answerOf(
        `https://api.openalex.org/sources?search=${encodeURIComponent(name)}&per-page=20`,
        z.object({ results: z.array(sourceShape) }),
      );
      const names = openalex?.results.flatMap(({ display_name, abbreviated_title, alternate_titles }) =>
        venuesOf([display_name, abbreviated_title, ...(alternate_titles ?? [])]),
      );
      return names ?? "unsure";
    },
  };
}

export type Registries = ReturnType<typeof createRegistries>;

/** The title of a work as people would cite it. */
export function titleOf(work: RegisteredWork): string {
  return withoutNotice(work.title.replace(/<\/?[a-z][^<>]{0,60}>/gi, ""));
}
