import { pairsIn } from "../../language/fold.ts";
import type { BibliographicRecord, ImportedRecords, ImportFault } from "./records.ts";

interface Reading {
  readonly line: number;
  readonly fields: [tag: string, value: string][];
}

/** The most lines of an entry. Abstracts and lists of authors are long. */
const maxLines = 5_000;

/** RIS entries, from `TY  -` to `ER  -`. Spec: https://refdb.sourceforge.net/manual-0.9.6/sect1-ris-format.html */
export function risRecords(text: string): ImportedRecords {
  const records: BibliographicRecord[] = [];
  const faults: ImportFault[] = [];
  let entry: Reading | undefined;
  const close = (end: number, isEnded = false) => {
    if (entry && !isEnded) faults.push({ line: entry.line, says: "the entry has no end (ER)" });
    if (entry) records.push({ ...recordOf(entry), end });
    entry = undefined;
  };
  let strays = 0;
  for (const [i, written] of text.split("\n").entries()) {
    const line = i + 1;
    const [, tag, value = ""] = /^\s{0,4}([A-Z][A-Z\d]) {0,2}-(?: (.*))?$/.exec(written.trimEnd()) ?? [];
    if (tag === "TY") {
      close(i);
      entry = { line, fields: [[tag, value.trim()]] };
    } else if (tag === "ER") {
      if (!entry) faults.push({ line, says: "ER without an entry" });
      close(line, true);
    } else if (!entry) {
      if (written.trim() !== "" && strays++ === 0)
        faults.push({ line, says: "this is outside of any entry (TY … ER)" });
    } else if (entry.fields.length < maxLines) {
      const last = entry.fields.at(-1);
      if (tag !== undefined) entry.fields.push([tag, value.trim()]);
      else if (last && written.trim() !== "") last[1] = `${last[1]} ${written.trim()}`.slice(0, 20_000);
    }
  }
  close(text.split("\n").length);
  return { records, faults };
}

/** The tags of EndNote that mean the same as one of RIS. */
const endnoteTags = pairsIn("0=TY F=ID T=TI A=AU D=PY J=JO B=T2 V=VL N=IS P=SP R=DO U=UR Z=N1");

/** EndNote's tagged format, line by line as RIS. Spec: https://support.clarivate.com/Endnote/s/article/EndNote-Import-Format */
export function endnoteRecords(text: string): ImportedRecords {
  const lines = text.split("\n").map((line) => {
    const [, tag = "", value = ""] = /^%([\dA-Z])\s(.*)$/.exec(line) ?? [];
    return line.trim() === "" ? "ER  - " : `${endnoteTags[tag] ?? "%"}  - ${value}`;
  });
  return risRecords(lines.join("\n"));
}

function recordOf({ line, fields }: Reading): BibliographicRecord {
  const valuesOf = (...tags: readonly string[]) =>
    tags.flatMap((tag) => fields.filter(([one]) => one === tag).map(([, value]) => value));
  const title = valuesOf("TI", "T1", "CT", "BT", "ST")[0] ?? "";
  return {
    key: valuesOf("ID", "LB")[0] ?? "",
    line,
    title,
    doi: [...valuesOf("DO"), ...valuesOf("M3", "N1")].find((value) => /\b10\.\d{4,9}\/\S+$/.test(value)),
    // For a journal, this field holds the ISSN.
    isbn: valuesOf("SN").find((value) => /^(?:\d[ -]?){9}[\dX]|^(?:\d[ -]?){12}\d/i.test(value)),
    links: valuesOf("UR", "LK", "L1", "L2"),
    texts: valuesOf("M1", "M3", "N1", "JO", "JF", "T2", "C1"),
    authors: valuesOf("AU", "A1"),
    year: Number(/\d{4}/.exec(valuesOf("PY", "Y1", "DA")[0] ?? "")?.[0]) || undefined,
    venue: valuesOf("JO", "JF", "T2", "J2", "BT", "PB")[0] ?? "",
    type: (valuesOf("TY")[0] ?? "").toLowerCase(),
    number: valuesOf("VL", "IS", "SP").join(" "),
  };
}
