import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config/index.ts";
import type { Claim } from "../../src/model/claim.ts";
import type { Condition } from "../../src/model/condition.ts";
import type { Config } from "../../src/model/config.ts";
import { sourcesUnder } from "../../src/model/dependencies.ts";
import { builtIn, triggersToAsk } from "../../src/model/firing.ts";
import type { Source } from "../../src/model/source.ts";
import { readers } from "../../src/read/index.ts";
import { freshFor } from "../../src/status/freshness.ts";

/** The shipped watch list: what it must cover, read as the program reads it. */
const root = new URL("../..", import.meta.url);
const paths = ["sources.yaml", ...readdirSync(new URL("triggers/", root)).map((name) => `triggers/${name}`)];
const parsed = parseConfig(
  paths.map((path) => ({ path, text: readFileSync(new URL(path, root), "utf8") })),
  readers,
);

function shipped(): Config {
  if (!parsed.config)
    throw new Error(parsed.problems.map(({ file, line, message }) => `${file}:${line} ${message}`).join("\n"));
  return parsed.config;
}

const config = shipped();
const sources = [...config.sources.values()];
const triggers = [...config.triggers.values()];
const claims = sources.flatMap((source) => source.claims);
const inTriggers = triggers.flatMap(({ on, also }) => [...on, ...also]);
const references = Array.from({ length: 64 }, (_, i) => i + 1);

/** Sources that a condition listens to. */
function heard(condition: Condition): string[] {
  if ("source" in condition) return [condition.source];
  if (condition.kind !== "release") return [];
  if (condition.sources.length > 0) return [...condition.sources];
  return sources.filter(({ announces }) => announces.some((id) => condition.products.includes(id))).map(({ id }) => id);
}

/** What a source watches: its kind, its address, and the options that choose a part of it. */
function watched({ kind, address, options }: Source): string {
  return [kind, address.toLowerCase().replace(/\/$/, ""), options.path ?? "", options.branch ?? ""].join(" ");
}

const proofOf = ({ proof }: Claim) =>
  "quote" in proof ? proof.quote : "value" in proof ? proof.value : "absent" in proof ? proof.absent : (proof.is ?? "");

describe("the shipped watch list", () => {
  it("describes the report as it was published", () => {
    expect(config.report).toMatchObject({
      title: "State of PyTorch Hardware Acceleration: May 2026",
      url: "https://tunguz.github.io/PyTorch_Hardware_May_2026/",
      version: "0.2",
      audited: Date.UTC(2026, 4, 16),
    });
    expect([...config.documents.keys()]).toHaveLength(3);
    expect([...config.triggers.keys()].sort()).toEqual(["apple-memory", "cuda", "mps", "rocm", "tpu"]);
  });

  it("holds the matrix of 4 × 5 ratings, with the meaning of each level", () => {
    const matrix = Object.fromEntries([...config.ratings.values()].map(({ id, level }) => [id, level[0]]));
    const row = (platform: string) =>
      ["maturity", "torch-compile", "kernels", "debugging", "cost"]
        .map((area) => matrix[`${platform}/${area}`])
        .join("");
    expect(["cuda", "rocm", "tpu", "mps"].map(row)).toEqual(["HHHHM", "MMMMM", "MMMMH", "MLLMH"]);
    expect(config.ratings.size).toBe(20);
    for (const meanings of config.rubric.values())
      expect([...meanings.keys()].sort()).toEqual(["High", "Low", "Medium"]);
    expect(config.rubric.size).toBe(5);
  });

  it("holds five rows of workloads, two counter-positions and the recommendation, each resting on ratings", () => {
    expect(config.conclusions.size).toBe(8);
    const ratingsUnder = (id: string): string[] =>
      config.ratings.has(id) ? [id] : (config.conclusions.get(id)?.restsOn ?? []).flatMap(ratingsUnder);
    for (const id of config.conclusions.keys()) expect(ratingsUnder(id), id).not.toEqual([]);
  });

  it.each(references)("covers reference %i", (reference) => {
    const covering = sources.filter(
      ({ cites, standsFor }) => cites.includes(reference) || standsFor.includes(reference),
    );
    expect(covering).not.toEqual([]);
  });

  it("knows no reference that the report has not", () => {
    const named = [...sources, ...claims].flatMap((one) => [
      ...one.cites,
      ...("standsFor" in one ? one.standsFor : []),
    ]);
    expect(named.filter((reference) => !references.includes(reference))).toEqual([]);
  });

  it("gives each frozen page that is cited something that moves in its place", () => {
    const slow = (source: Source) => (source.every ?? 0) >= 14 * 86_400_000;
    const moving = new Set(
      sources.filter((source) => !slow(source)).flatMap(({ cites, standsFor }) => [...cites, ...standsFor]),
    );
    // The report of the year before is history: nothing moves in its place.
    expect(
      sources
        .filter(slow)
        .flatMap(({ cites }) => cites)
        .filter((reference) => !moving.has(reference)),
    ).toEqual([64]);
  });

  it.each([...config.ratings.values()])("$id rests on a source, or on judgement alone", (rating) => {
    const rests = sourcesUnder(rating, config);
    if (rating.basis === "judgement") expect(rests).toEqual([]);
    else expect(rests).not.toEqual([]);
  });

  it.each([...config.ratings.values()])("$id has an effective volatility", (rating) => {
    expect([...config.volatility.values()]).toContain(freshFor(rating, config));
  });

  it("asks about each rating in one place only", () => {
    const named = triggers.flatMap(({ ratings }) => ratings);
    expect(new Set(named).size).toBe(named.length);
  });

  it.each(sources)("$id serves a trigger or a claim", (source) => {
    const listened = [...inTriggers, ...claims.flatMap(({ until }) => until)].flatMap(heard);
    expect(source.claims.length > 0 || listened.includes(source.id)).toBe(true);
  });

  it.each(claims)("$source/$id can fire", (claim) => {
    const asked = triggersToAsk(claim.ratings, config);
    const covered = asked.flatMap((id) => config.triggers.get(id)?.ratings ?? []);
    if (claim.ratings.length === 0) expect(asked).toEqual([builtIn.claims]);
    else expect(claim.ratings.filter((rating) => !covered.includes(rating))).toEqual([]);
  });

  it("lets a claim name only references that its source cites or covers", () => {
    const strangers = sources.flatMap((source) =>
      source.claims
        .filter(({ cites }) => cites.some((one) => !source.cites.includes(one) && !source.standsFor.includes(one)))
        .map(({ id }) => `${source.id}/${id}`),
    );
    expect(strangers).toEqual([]);
  });

  it("quotes short passages only", () => {
    expect(
      claims.filter((claim) => proofOf(claim).split(/\s+/).length > 25).map(({ source, id }) => `${source}/${id}`),
    ).toEqual([]);
  });

  it("watches no address twice", () => {
    const seen = sources.map(watched);
    expect(seen.filter((one, i) => seen.indexOf(one) !== i)).toEqual([]);
  });

  it("announces each product that a trigger waits for", () => {
    const releases = inTriggers.filter((condition) => condition.kind === "release");
    const silent = releases
      .flatMap(({ products }) => products)
      .filter((id) => !sources.some(({ announces }) => announces.includes(id)));
    expect(silent).toEqual([]);
  });

  it("gives the meaning of every awaited event", () => {
    const awaited = inTriggers.filter((condition) => condition.awaited === true);
    expect(awaited.filter(({ means }) => means === undefined)).toEqual([]);
    expect(awaited.map(({ means }) => means)).toEqual(
      expect.arrayContaining([
        "TorchTPU is public",
        "TorchTPU has a release",
        "TPU7x documents PyTorch",
        "the software matrix for PyTorch lists TPU7x",
        "the RFC for native PyTorch on TPU is closed",
        "eager mode on TPU is no longer called experimental",
        "quantized operations on TPU are no longer called experimental",
        "the ROCm install page no longer recommends Docker",
        "the tracker of torch.compile on MPS is closed",
        "the tracker's FlexAttention item has changed",
        "the tracker's SDPA item has changed",
        "TorchAO's docs name the MPS GPU",
        "the specifications name a Mac Studio after M3 Ultra",
      ]),
    );
  });

  it("never asks about a pre-release, nor about age alone", () => {
    expect(inTriggers.filter((condition) => condition.kind === "release" && condition.pre !== "no")).toEqual([]);
    expect(inTriggers.filter(({ kind }) => kind === "unreviewed")).toEqual([]);
  });

  it("asks questions in every trigger, in the report's own wording, confidence and volatility", () => {
    for (const { id, ask } of triggers) expect(ask.length, id).toBeGreaterThanOrEqual(3);
    const rows = Object.fromEntries(
      triggers.map(({ id, confidence, volatility, wording }) => [id, `${confidence} · ${volatility} · ${wording}`]),
    );
    expect(rows).toEqual({
      cuda: "High · Medium · Each PyTorch, NVIDIA CUDA, or Nsight release.",
      rocm: "Medium-high · High · Each ROCm, AMD container, or PyTorch release.",
      tpu: "Medium · High · TorchTPU public release or a new TPU software matrix.",
      mps: "Medium · High · PyTorch MPS compile tracker, Metal release, or TorchAO Apple-kernel change.",
      "apple-memory": "High · Medium · Apple hardware refresh or spec change.",
    });
  });

  it("gives the reason for every source that it does not watch", () => {
    expect(config.unwatchable.filter(({ because }) => because.length < 20)).toEqual([]);
    const articles = [...sources, ...config.unwatchable].flatMap(({ citedBy }) => citedBy);
    expect([...config.documents.keys()].filter((id) => !articles.includes(id))).toEqual([]);
  });
});
