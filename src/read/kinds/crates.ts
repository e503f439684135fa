import * as z from "zod";
import type { Response } from "../../model/ports/index.ts";
import type { Item, Reading } from "../../model/reading.ts";
import { readerOf } from "../reader.ts";
import { packageAt } from "../shared/address.ts";
import { decode, jsonOf, limitItems, parseShape } from "../shared/body.ts";
import { versionItem } from "../shared/given.ts";
import { isSemverPre } from "../shared/versions.ts";

/** A crate of crates.io: its versions as items, by the index that Cargo reads. Those that were yanked are left out. */
export const crates = readerOf({
  kind: "crates",
  spec: "https://doc.rust-lang.org/cargo/reference/registry-index.html",
  noun: "crate",
  cadence: "6h",
  example: "serde",
  address: z.string().regex(/^[a-z][\w-]{0,63}$/i, "needs the name of a crate, e.g. serde"),
  recognises: packageAt(["crates.io", "lib.rs"], "crates"),
  sameName: (address) => address.toLowerCase().replaceAll("_", "-"),
  version: 1,
  request: ({ address }) => ({ url: `https://index.crates.io/${fileOf(address.toLowerCase())}`, accept: "text/plain" }),
  read,
  page: ({ address }) => `https://crates.io/crates/${address}`,
  titleOf: ({ address }) => `${address} on crates.io`,
  versionsOf: (address) => address,
});

/** `1/a`, `2/ab`, `3/a/abc`, and `se/rd/serde` of four letters and more. */
function fileOf(name: string): string {
  if (name.length < 3) return `${name.length}/${name}`;
  return name.length === 3 ? `3/${name[0]}/${name}` : `${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`;
}

const shape = z.object({
  name: z.string().min(1),
  vers: z.string().min(1),
  yanked: z.boolean().optional(),
  pubtime: z.string().nullish(),
});

/** Reads one object a line, the last published at the end. */
function read(response: Response): Reading {
  const lines = decode(response).split("\n");
  const filled = limitItems(lines.filter((line) => line.trim() !== ""));
  const items = filled.flatMap((line): Item[] => {
    const { name, vers, yanked, pubtime } = parseShape(shape, jsonOf(line), "line of Cargo's index");
    const url = `https://crates.io/crates/${name}/${encodeURIComponent(vers)}`;
    return yanked === true ? [] : [versionItem(name, vers, { url, at: pubtime, pre: isSemverPre(vers) })];
  });
  return { items: items.reverse() };
}
