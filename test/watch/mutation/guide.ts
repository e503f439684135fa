import type { Mutant } from "./ways.ts";

/** A guide that is long enough to be told in another language, or in half: as a page and as a text file. */

const english = [
  "The driver is loaded when the service starts, and it stays in memory for as long as the service is running.",
  "You can see its version in the log of the service and in the settings, which are kept with your profile.",
  "A cluster that is asked to stop finishes the jobs that it has begun, and refuses those that come after that.",
  "Kernels are compiled for each device at the first start, so that the second one is as fast as you would expect.",
  "If the device is not found, look for its name in the list of those that are supported by this release.",
  "The memory of a device is shared by all the processes that are allowed to use it, in the order in which they ask.",
  "Graphs are captured once and played again from then on, which saves the time that the launch of a kernel takes.",
  "Each release is supported for a year, and for half a year more where it is the last of its line.",
];

const german = [
  "Der Treiber wird mit dem Dienst geladen und bleibt im Speicher, solange der Dienst läuft und Sie ihn nicht beenden.",
  "Sie sehen die Version des Treibers im Protokoll und in den Einstellungen, die mit dem Profil gespeichert werden.",
  "Ein Verbund, der beendet werden soll, schließt die begonnenen Aufgaben ab und nimmt keine an, die danach kommen.",
  "Die Kerne werden für das Gerät beim ersten Start übersetzt, damit der zweite nicht auf sie warten muss und sich lohnt.",
];

const french = [
  "Le pilote est chargé avec le service et reste en mémoire pour toute la durée de la session de travail.",
  "Vous pouvez voir la version du pilote dans le journal et dans les réglages, qui sont conservés avec votre profil.",
  "Les noyaux sont compilés pour le matériel au premier démarrage, et le second ne les attend plus par la suite.",
  "Une version est maintenue pour un an, et pour six mois de plus quand elle est la dernière de sa série.",
];

const japanese = ["このドライバーはサービスの開始時に読み込まれ、サービスが動いている間はメモリに残ります。".repeat(8)];

const slogan = "The engine that flies.";

const shop = [
  "The finest kites for the whole family are to be had here, at half the price and with a year of warranty.",
  "Each kite comes with its line and a bag, and flies in a wind that you would hardly call one at the shore.",
  "Send it back within a month if it does not fly as high as you hoped, and we pay for the way that it takes.",
  "Our shop stands at the old harbour, where it is open on every day of the year on which the wind blows.",
];

const paragraphs = (texts: readonly string[]) => texts.map((text) => `<p>${text}</p>`).join("");

function documentOf(language: string, body: string): string {
  return `<!doctype html><html lang="${language}"><head><title>Guide</title></head><body>${body}</body></html>`;
}

function pageOf(texts: readonly string[], language = "en"): string {
  return documentOf(language, `<main><h1>Guide</h1>${paragraphs(texts)}</main>`);
}

function textOf(texts: readonly string[]): string {
  return `# Guide\n\n${texts.join("\n\n")}\n`;
}

function inLanguages(write: (texts: readonly string[], language: string) => string): Mutant[] {
  const languages = { de: german, fr: french, ja: japanese };
  return Object.entries(languages).map(([language, texts]) => ({
    way: "another language",
    name: `another language: ${language}`,
    body: write(texts, language),
  }));
}

export const guidePage = pageOf(english);
export const guideText = textOf(english);

/** Bodies in the guide's place that no key or element tells of. */
export const pageMutants: readonly Mutant[] = [
  ...inLanguages(pageOf),
  { way: "half of it", name: "the first two paragraphs", body: pageOf(english.slice(0, 2)) },
  { way: "a slogan", name: "alone", body: pageOf([slogan]) },
  {
    way: "a slogan",
    name: "in the main part, with another text beside it",
    body: documentOf("en", `<main><h1>${slogan}</h1></main><div>${paragraphs(shop)}</div>`),
  },
  { way: "another region", name: "another text in the body", body: documentOf("en", paragraphs(shop)) },
  {
    way: "another region",
    name: "another text in an article",
    body: documentOf("en", `<article>${paragraphs(shop)}</article>`),
  },
  {
    way: "another region",
    name: "emptied",
    body: documentOf("en", "<main></main><footer>Engines since 1999</footer>"),
  },
  { way: "another page", name: "in the same region", body: pageOf(shop) },
];

export const textMutants: readonly Mutant[] = [
  ...inLanguages(textOf),
  { way: "half of it", name: "the first two paragraphs", body: textOf(english.slice(0, 2)) },
  { way: "another page", name: "under the same name", body: textOf(shop) },
];
