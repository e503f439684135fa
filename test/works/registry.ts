import type { Ask, RegistryAnswer } from "../../src/works/registries.ts";

/** A work as this registry keeps it. Without a DOI or arXiv number, only OpenAlex has it. */
export interface Kept {
  readonly title: string;
  readonly subtitle?: string;
  readonly originalTitle?: string;
  /** `Hargrave, Lawrence`; without a comma a group. */
  readonly authors: readonly string[];
  readonly year: number;
  readonly venue?: string;
  readonly short?: string;
  readonly publisher?: string;
  readonly volume?: string;
  readonly pages?: string;
  readonly type?: string;
  readonly doi?: string;
  readonly arxiv?: string;
  readonly publishedAs?: string;
  /** For a work at DataCite: the DOI of all its versions. */
  readonly versionOf?: string;
  readonly isRetracted?: boolean;
}

const json = (body: unknown, status = 200): RegistryAnswer => ({ status, body: JSON.stringify(body) });
const missing = json({}, 404);

function namesOf({ authors }: Kept) {
  return authors.map((name) => {
    const [family = "", given] = name.split(", ");
    return given === undefined ? { name } : { family, given };
  });
}

function crossref(work: Kept) {
  const { doi, type = "journal-article", title, subtitle, originalTitle, year, venue, short, volume, pages } = work;
  return {
    DOI: doi,
    type,
    title: [work.isRetracted ? `RETRACTED: ${title}` : title],
    subtitle: subtitle ? [subtitle] : [],
    "original-title": originalTitle ? [originalTitle] : [],
    author: namesOf(work),
    "container-title": venue ? [venue] : [],
    "short-container-title": short ? [short] : [],
    ...(work.publisher && { publisher: work.publisher }),
    ...(volume && { volume }),
    ...(pages && { page: pages }),
    issued: { "date-parts": [[year]] },
  };
}

function openalex(work: Kept) {
  const { doi, arxiv, title, subtitle, year, venue, volume, isRetracted = false } = work;
  const identifier = doi ?? (arxiv && `10.48550/arxiv.${arxiv}`);
  return {
    doi: identifier ? `https://doi.org/${identifier}` : null,
    title: subtitle ? `${title}: ${subtitle}` : title,
    publication_year: year,
    type: arxiv ? "preprint" : (work.type ?? "article"),
    is_retracted: isRetracted,
    authorships: work.authors.map((name) => ({ raw_author_name: name.split(", ").toReversed().join(" ") })),
    primary_location: { source: venue ? { display_name: venue } : null },
    biblio: { volume: volume ?? null, first_page: null, last_page: null },
  };
}

function atom(works: readonly Kept[]): RegistryAnswer {
  const entries = works.map(
    ({ arxiv, title, authors, year, publishedAs }) =>
      `<entry><id>http://arxiv.org/abs/${arxiv}v3</id><published>${year}-02-01T00:00:00Z</published><updated>${year + 6}-02-01T00:00:00Z</updated><title>${title}</title>${authors
        .map((name) => `<author><name>${name.split(", ").toReversed().join(" ")}</name></author>`)
        .join("")}${publishedAs ? `<arxiv:doi>${publishedAs}</arxiv:doi>` : ""}</entry>`,
  );
  return { status: 200, body: `<feed>${entries.join("")}</feed>` };
}

const wordsOf = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Registries that answer in the forms of the real services. A search at Crossref always finds something. */
export function registryOf(works: readonly Kept[], journals: readonly string[]): Ask {
  const isOfCrossref = ({ doi }: Kept) => doi !== undefined && !doi.startsWith("10.5281/");
  const nearest = (text: string, all: readonly Kept[]) => {
    const asked = new Set(wordsOf(text));
    const score = ({ title, authors, venue = "" }: Kept) =>
      wordsOf([title, ...authors, venue].join(" ")).filter((word) => asked.has(word)).length;
    return all.toSorted((a, b) => score(b) - score(a));
  };
  const withAll = (text: string, all: readonly Kept[]) =>
    all.filter(({ title, subtitle = "" }) => {
      const there = new Set(wordsOf(`${title} ${subtitle}`));
      return wordsOf(text).every((word) => there.has(word));
    });
  return async (url) => {
    const { hostname, pathname, searchParams } = new URL(url);
    const last = decodeURIComponent(pathname)
      .replace(/^.*?(?=10\.)/, "")
      .toLowerCase();
    const work = works.find(({ doi, arxiv }) => last === doi || last === `10.48550/arxiv.${arxiv}`);
    switch (hostname) {
      case "api.crossref.org": {
        if (pathname === "/journals") return json({ message: { items: journals.map((title) => ({ title })) } });
        if (/\/works\/10/.test(decodeURIComponent(pathname)))
          return work && isOfCrossref(work) ? json({ message: crossref(work) }) : missing;
        const all = nearest(searchParams.get("query.bibliographic") ?? "", works.filter(isOfCrossref));
        return json({ message: { items: all.slice(0, 6).map(crossref) } });
      }
      case "api.openalex.org": {
        if (pathname === "/sources") return json({ results: journals.map((display_name) => ({ display_name })) });
        const [, name, value = ""] = /^(title\.search|doi):(.*)$/.exec(searchParams.get("filter") ?? "") ?? [];
        const dois = value.split("|");
        const all = name === "doi" ? works.filter(({ doi }) => doi && dois.includes(doi)) : withAll(value, works);
        return json({ results: all.slice(0, 50).map(openalex) });
      }
      case "export.arxiv.org": {
        const numbers = searchParams.get("id_list")?.split(",");
        const all = works.filter(({ arxiv }) => arxiv !== undefined);
        return atom(
          numbers
            ? all.filter(({ arxiv = "" }) => numbers.includes(arxiv))
            : withAll((searchParams.get("search_query") ?? "").replace(/ti:|AND/g, ""), all),
        );
      }
      case "api.datacite.org":
        return work && !isOfCrossref(work)
          ? json({
              data: {
                attributes: {
                  doi: last,
                  titles: [{ title: work.title }],
                  creators: work.authors.map((name) => ({ name })),
                  publicationYear: work.year,
                  types: { resourceTypeGeneral: work.arxiv ? "Preprint" : (work.type ?? "Software") },
                  relatedIdentifiers: work.versionOf
                    ? [{ relationType: "IsVersionOf", relatedIdentifier: work.versionOf }]
                    : [],
                },
              },
            })
          : missing;
      case "doi.org":
        return json({ responseCode: work ? 1 : 100 }, work ? 200 : 404);
      default:
        return missing;
    }
  };
}
