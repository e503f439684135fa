import type { Claim } from "../../src/model/claim.ts";
import type { Source } from "../../src/model/source.ts";
import type { Section } from "../story.ts";

/** A text for a source without a story: the basis of its claims, among sentences without content. */
export function standIn(source: Source): Section[] {
  const title = source.title ?? source.id;
  const told = source.claims.filter(({ proof }) => !("absent" in proof));
  return [
    {
      heading: title,
      paragraphs: [
        `This is "${title}" as Recheck's demo has it: a stand-in, written for the demo, at the address of the real one.`,
        "It says what the report takes from the real page, and is otherwise as empty of news as most pages are on most days.",
      ],
    },
    ...told.map((claim, index) => ({
      heading: headingOf(claim),
      paragraphs: [passageOf(claim), remarks[index % remarks.length] ?? ""],
    })),
    {
      heading: "Where to go from here",
      paragraphs: ["Further pages explain how to begin, what is needed for it, and whom to ask when something fails."],
    },
  ];
}

const remarks = [
  "The sections below go into detail; whoever only wants the outline may stop here.",
  "This has been so for some time, and is repeated here because it is often asked.",
  "What it takes in a given setting depends on the setting, as ever.",
  "Comments on this section are welcome in the usual places.",
];

function headingOf({ id }: Claim): string {
  const words = id.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function passageOf({ proof }: Claim): string {
  if ("quote" in proof) return ended([proof.prefix, proof.quote, proof.suffix].filter(Boolean).join(" "));
  if ("value" in proof) return ended(`${proof.of ?? "The figure to know"}: ${proof.value}`);
  return "";
}

function ended(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
