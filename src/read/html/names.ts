import { type Element, isTag } from "domhandler";
import { plainWords } from "../../language/fold.ts";
import { phrasesOf } from "../../language/lexicon.ts";
import { cacheByText, wordSet } from "../../model/cache.ts";
import { ownText, walk } from "./tree.ts";

/** Words in ids and classes that describe an element. */

/** Names of parts around content, at any place of a page. */
const around = wordSet(
  "footer sidebar toolbar topbar popup modal lightbox toast snackbar overlay advert advertisement tooltip tooltips popover " +
    "hovercard ttc flyout adsbygoogle carbonads sharedaddy shariff sociable addtoany addthis " +
    "relatedposts relatednews relatedarticles relatedcontent mostread mostpopular testimonial testimonials cta contributors",
).union(phrasesOf("names.advert"));
/** Names of lists of links. For a part with paragraphs they only give its place. */
const listing = wordSet(
  "nav navbar navigation menu submenu megamenu breadcrumb breadcrumbs pagination pager skiplink toc tagcloud catlinks",
);

/** Names of entries about other pages, and of their lists. */
const teasers = wordSet("related recommended recommendations teaser teasers");
/** Names that are topics too: a section about cookies is content, a cookie banner is not. */
const topics = wordSet(
  "cookie cookies consent gdpr ccpa newsletter subscribe signup social share sharing feedback rating votes ads " +
    "sponsored announcement countdown skip helpful",
).union(teasers);

/** Names of advertisements, if a word for a place is beside them: `ad-slot`, `promo-bar`. */
const adverts = wordSet("ad ads advert adverts promo");
const places = wordSet("slot unit placement container wrapper banner bar box space zone label");

/** Words that name boilerplate only beside one of `devices`: a section on versions is content. */
const paired = wordSet(
  "search version versions outdated unreleased prev previous next edit improve copy theme language locale",
);
/** The words of `paired` that sites also use in notices. A warning that a theme draws is content. */
const noticed = wordSet("version versions outdated unreleased");

/** Names that generators and themes give to the part with the text. */
const contentWords = wordSet("content contents body article document markdown prose post entry main text textblock");

const besideContent = around.union(listing).union(topics);

/** Whether an id or class ends with a name for the content: `page-content`, `markdown-body`, `contents`. */
export const saysContent = idOrClass((names) =>
  names
    .toLowerCase()
    .split(/\s+/)
    .some((one) => contentWords.has(ownWords(one).findLast(Boolean) ?? "") && !hasWordOf(besideContent, one)),
);

const company = wordSet(
  "banner bar box notice popup modal dialog widget panel links buttons icons list wrapper block form module posts articles " +
    "stories items cards link button overlay prompt message tool tools container section post article topics news area grid " +
    "wrap group headline entries",
);

/** Words that, beside one of `paired`, name boilerplate: a search box, a version picker, a link to the next page. */
const devices = wordSet(
  "box picker selector select switch switcher dropdown result results window field form bar hits input modal panel overlay " +
    "dialog button btn link links area nav toggle menu popup control",
);

/** Words for legal consent, and for the places to give it. */
const consents = wordSet("cookie cookies consent gdpr ccpa");
const choices = wordSet("preference preferences settings center centre manager management wall layer choices");

/** Consent tools, by the elements that their scripts insert into a page. */
const consentTools = new RegExp(
  `\\b(?:${(
    "onetrust ot-sdk optanon cybotcookiebot usercentrics didomi qc-cmp truste trustarc cky- iubenda-cs " +
    "osano-cm termly-styles cmplz-cookiebanner borlabs klaro cookie-law-info cli-modal sp_message fc-" +
    "consent axeptio tarteaucitron hs-eu-cookie cc-window moove_gdpr ch2- cookiefirst pecr evidon " +
    "cookiescript silktide ketch- transcend-consent tc-privacy cmpbox cmpwrapper"
  )
    .split(" ")
    .join("|")})`,
);

const panels = /panel|accordion|collaps|tab|faq|answer|toggle|expand|details|dropdown-content/;

/** Whether an id was generated from its part's heading, and so gives the topic and not the role. */
export function isSlugOf(id: string | undefined, element: Element): boolean {
  if (id === undefined) return false;
  const slug = wordsIn(id);
  return slug !== "" && wordsIn(firstHeading(element)).startsWith(slug);
}

function wordsIn(text: string): string {
  return plainWords(text).join("");
}

/** Nodes before a part's heading, at most. */
const mostNodes = 2_000;

function firstHeading(element: Element): string {
  let heading: Element | undefined;
  let nodes = 0;
  walk(element, {
    enter(inner) {
      if (/^h[1-6]$/.test(inner.name)) heading = inner;
      return true;
    },
    done: () => heading !== undefined || ++nodes > mostNodes,
  });
  return heading ? ownText(heading) : "";
}

export const saysConsent = idOrClass((names) => consentTools.test(names.toLowerCase()));

/** Names that begin the readers' comments, and their words for a part of them. */
const talk = phrasesOf("names.comments");
const talks = phrasesOf("names.comment");
const talkParts = wordSet(
  "list area section form respond thread threads wrapper wrap container box block reply module count",
);

/** Whether an id or class names readers' comments, or the form for writing them. */
export const saysTalk = cacheByName((names) =>
  namesIn(names).some((one) => {
    const words = ownWords(one);
    const at = words.findIndex((word) => talk.has(word) || talks.has(word));
    return at >= 0 && at < 2 && (talk.has(words[at] ?? "") || talkParts.has(words[at + 1] ?? ""));
  }),
);

export const saysReply = cacheByName((names) =>
  /(?:^|[^a-z])(?:reply|replies|respond)(?:$|[^a-z])/i.test(splitCapitals(names)),
);

const besides = wordSet("sidebar sidebars aside rightbar leftbar");

export const saysBeside = idOrClass((names) =>
  namesIn(names).some((one) => /^widgets?(?:-area|_[a-z_]+)?$/.test(one) || hasWordOf(besides, one)),
);

/** Names of lines with author and date beside a title: "post-meta", `page-metadata`. */
const metadata = wordSet("meta metadata byline");
const described = wordSet("page article post entry topic header doc");

/** Words for the whole site, in names of notices above each of its pages: "site-notice", `globalBanner`. */
const everywhere = wordSet("site sitewide global portal system wiki");
const notices = wordSet(
  "notice notices banner banners announcement announcements alert warning message messages promo badge",
);

/** Names of short texts about the author: "author-bio", "about-author". */
const writers = phrasesOf("names.author");
const aboutWriters = wordSet(
  "box bio info description about card profile area block wrap wrapper container section text details",
);

/** Names of lists of other pages that change daily: "most-popular", "latest-posts". */
const ranks = wordSet("popular trending latest recent more");
const ranked = wordSet("posts articles stories news videos");
const most = wordSet("popular read viewed shared commented");

/** Names of parts that are drawn at random each day or visit: "quote-of-the-day", "random-tip". */
const drawn = wordSet("tip tips quote quotes fact facts word joke photo");
const draws = wordSet("day daily random rotating");

export const saysTeaser = idOrClass((names) => namesIn(names).some((one) => hasWordOf(teasers, one)));

/** Whether a class hides an element from all but screen readers. */
export const saysForReaders = cacheByName((names) => /\b(?:sr-only|visually-?hidden|screen-reader-text)\b/.test(names));

type Says = "around" | "listing" | "topic" | "nothing";

/** Values in utility classes: `mt-[var(--nav-height)]`, `mt-(--nav-height)`, `has-[.sidebar]:pl-4`. */
const values = /\[[^[\]]*\]|\([^()]*\)/g;
/** The word after one of these names another part, or a missing one: `no-toc`, `has-sidebar`. */
const beside = wordSet("no not without with has");

/** The words of a class or id that describe its own element. */
function ownWords(name: string): string[] {
  const utility = name.replace(values, "");
  // The part before a colon says when the class applies: `md:flex`.
  const words = utility.slice(utility.lastIndexOf(":") + 1).split(/[^a-z0-9]+/);
  return words.filter((_, at) => !beside.has(words[at - 1] ?? ""));
}

/**
 * Whether an id or class names boilerplate. `small`: the element has few words, so a name that may be a topic is sign
 * enough. `isText`: it has paragraphs, so it is not a list of links. `isTopic`: the id is no sign.
 */
export function saysChrome(
  element: Element,
  small: boolean,
  isText = false,
  isTopic: typeof isSlugOf = () => false,
): boolean {
  const { id, class: classes } = element.attribs;
  const byClass = classes ? saysOf(classes) : "nothing";
  if (isAround(byClass, isText) || (byClass === "topic" && small)) return true;
  return id !== undefined && isAround(saysOf(id), isText) && !isTopic(id, element);
}

function isAround(says: Says, isText: boolean): boolean {
  return says === "around" || (says === "listing" && !isText);
}

export const saysOf = cacheByName(classify);

const saysTooltip = idOrClass((names) => /tooltip/i.test(names));

/** Whether this is a text with its tooltip: both have the name. */
export function holdsTooltip(element: Element): boolean {
  return saysTooltip(element) && element.children.some((inner) => isTag(inner) && saysTooltip(inner));
}

/** Whether the answer is yes for an element's id or for its classes. */
function idOrClass(answer: (names: string) => boolean): (element: Element) => boolean {
  const says = cacheByName(answer);
  return ({ attribs: { id, class: classes } }) =>
    (classes !== undefined && says(classes)) || (id !== undefined && says(id));
}

/** Many elements of a page have the same names. Only their beginning is read. */
function cacheByName<T>(answer: (names: string) => T): (names: string) => T {
  return cacheByText(50_000, (names) => answer(names.slice(0, 1_000)));
}

/** Inserts a hyphen before each capital letter that begins a word. */
function splitCapitals(names: string): string {
  return names.replace(/([a-z])([A-Z])|([A-Z])([A-Z][a-z])/g, "$1$3-$2$4");
}

function namesIn(names: string): string[] {
  return splitCapitals(names).toLowerCase().split(/\s+/);
}

function hasWordOf(some: ReadonlySet<string>, name: string): boolean {
  return ownWords(name).some((word) => some.has(word));
}

function classify(name: string): Says {
  if (consentTools.test(name.toLowerCase())) return "around";
  let topic = false;
  let lists = false;
  for (const part of namesIn(name)) {
    const words = ownWords(part);
    const says = (some: ReadonlySet<string>) => words.some((word) => some.has(word));
    if (says(around)) return "around";
    lists ||= says(listing);
    if (says(paired) && says(devices)) return "around";
    const isPlace = (at: number) => places.has(words[at] ?? "");
    if (words.some((word, at) => adverts.has(word) && (isPlace(at - 1) || isPlace(at + 1)))) return "around";
    if ((says(noticed) || says(everywhere)) && says(notices)) return "around";
    if (says(consents) && says(choices)) return "around";
    if (says(drawn) && says(draws)) return "around";
    if (says(writers) && says(aboutWriters)) return "around";
    if ((says(ranks) && says(ranked)) || words.some((word, at) => word === "most" && most.has(words[at + 1] ?? "")))
      return "around";
    lists ||= /^widget(?:_[a-z_]+)?$|prev(?:ious)?[-_]?next/.test(part);
    topic ||= says(metadata) && says(described);
    if (!says(topics)) continue;
    if (says(company)) return "around";
    topic = true;
  }
  if (lists) return "listing";
  return topic ? "topic" : "nothing";
}

/** Whether an id or class names a panel that is folded until it is opened. */
export function saysPanel(name: string | undefined): boolean {
  return name !== undefined && panels.test(name.toLowerCase());
}

/** Attributes by which authors exclude a part from search: they say themselves that it is not the text. */
const unsearched = "data-pagefind-ignore data-nosnippet data-noindex data-search-ignore data-search-exclude".split(" ");

export function isUnsearched({ attribs }: Element): boolean {
  return unsearched.some((name) => attribs[name] !== undefined && attribs[name] !== "false");
}
