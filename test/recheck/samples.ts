import type { Claim, ClaimState } from "../../src/model/claim.ts";
import type { Config, Rating, Trigger } from "../../src/model/config.ts";
import type { Evidence, Firing } from "../../src/model/firing.ts";
import type { Source } from "../../src/model/source.ts";
import type { Instant } from "../../src/model/time.ts";

export const at = (text: string): Instant => Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text);

/** A map by id. */
export function byId<T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

export function source(id: string, more: Partial<Source> = {}): Source {
  return {
    id,
    kind: "page",
    address: `https://${id}.example/docs`,
    options: {},
    cites: [],
    standsFor: [],
    citedBy: [],
    announces: [],
    claims: [],
    ...more,
  };
}

export function claim(id: string, sourceId: string, more: Partial<Claim> = {}): Claim {
  return {
    id,
    source: sourceId,
    says: "It needs the cluster service.",
    proof: { quote: "you must use the cluster service" },
    ratings: [],
    cites: [],
    until: [],
    ...more,
  };
}

export function trigger(id: string, more: Partial<Trigger> = {}): Trigger {
  return { id, name: id.toUpperCase(), ratings: [], on: [], also: [], ask: [], ...more };
}

function rating(id: string, level: string): Rating {
  return { id, level, owners: [] };
}

const tensorClaims = [
  claim("cluster-only", "tensor-docs", {
    says: "The new chip runs in the cluster service only, with one framework",
    ratings: ["tensor/maturity", "tensor/compile"],
    cites: [53],
  }),
  claim("bridge", "tensor-docs", {
    says: "The bridge is the way to production",
    ratings: ["tensor/maturity"],
    cites: [15],
  }),
];

/** A small report: two platforms, two areas. */
export const config: Config = {
  report: { title: "State of the Boards", audited: at("2026-05-16") },
  documents: new Map(),
  channels: new Map(),
  levels: ["Low", "Medium", "High"],
  volatility: new Map(),
  axes: ["platform", "area"],
  names: new Map([
    ["tensor", "Tensor Board"],
    ["maturity", "Maturity"],
    ["compile", "Compiler"],
  ]),
  rubric: new Map([
    [
      "maturity",
      new Map([
        ["Low", "Gaps and prototypes are met often."],
        ["Medium", "It works as long as one keeps to its rules."],
        ["High", "Ordinary code runs with few surprises."],
      ]),
    ],
  ]),
  ratings: byId([
    rating("tensor/maturity", "Medium"),
    rating("tensor/compile", "Medium"),
    rating("vector/maturity", "High"),
    rating("vector/compile", "Low"),
  ]),
  conclusions: byId([
    { id: "training", text: "Training: a vector cluster", restsOn: ["vector/maturity", "tensor/maturity"] },
    { id: "final", text: "Standardize on vector", restsOn: ["training"] },
    { id: "edge", text: "At the edge: anything", restsOn: ["vector/compile"] },
  ]),
  products: byId([
    { id: "loom", name: "Loom", aliases: [], tags: [], renumbered: {}, phantom: [] },
    { id: "spindle", name: "Spindle", aliases: [], tags: [], renumbered: {}, phantom: [] },
  ]),
  sources: byId([
    source("tensor-repo", { kind: "github-repo", address: "tensor-org/board_backend", cites: [16] }),
    source("tensor-docs", { title: "Tensor 7 documentation", cites: [53], claims: tensorClaims }),
    source("loom-releases", {
      kind: "github-releases",
      address: "loom/loom",
      title: "Loom releases",
      cites: [32],
      standsFor: [1, 4],
    }),
    source("loom-blog", { kind: "feed", title: "Loom blog", standsFor: [5] }),
  ]),
  unwatchable: [],
  baseline: "first-check",
  overview: true,
  limits: { contentsAnHour: 20, rechecksAnHour: 2 },
  triggers: byId([
    trigger("tensor", {
      name: "Tensor",
      wording: "Public release of the backend, or a new software matrix.",
      confidence: "Medium-high",
      volatility: "High",
      ratings: ["tensor/maturity", "tensor/compile"],
      ask: ["Does eager code run from the public package?", "Which generations does the matrix list?"],
    }),
    trigger("vector", { name: "Vector", ratings: ["vector/compile"], ask: ["Does it still fail?"] }),
  ]),
  schedule: new Map(),
};

export function evidence(sourceId: string, more: Partial<Evidence> = {}): Evidence {
  return {
    source: sourceId,
    seen: at("2026-07-08T17:02:00Z"),
    change: { kind: "item-added", item: { id: "v2.13.0", title: "Loom 2.13.0" } },
    part: "on",
    ...more,
  };
}

export function firing(triggerId: string, key: string, more: Partial<Firing> = {}): Firing {
  const seen = more.seen ?? at("2026-07-08T17:02:00Z");
  return {
    trigger: triggerId,
    event: { key },
    weight: "routine",
    seen,
    fired: seen,
    evidence: [evidence("loom-releases")],
    ...more,
  };
}

/** One release, seen in two places. */
export const released = firing("tensor", "loom 2.13.0", {
  event: { key: "loom 2.13.0", product: "loom", version: "2.13.0", at: at("2026-07-08") },
  evidence: [
    evidence("loom-releases"),
    evidence("loom-blog", {
      seen: at("2026-07-08T20:30:00Z"),
      change: { kind: "item-added", item: { id: "b", title: "Loom 2.13 Release Blog" } },
    }),
  ],
});

/** What the report waits for. */
export const madePublic = firing("tensor", "tensor-repo public yes", {
  weight: "contrary",
  seen: at("2026-09-21T06:10:00Z"),
  evidence: [
    evidence("tensor-repo", {
      seen: at("2026-09-21T06:10:00Z"),
      change: { kind: "fact", name: "public", before: "no", after: "yes" },
      condition: { kind: "fact", source: "tensor-repo", name: "public", becomes: "yes", awaited: true },
    }),
  ],
});

/** A claim that its own source no longer supports. */
export const claimAltered = firing("tensor", "tensor-docs/cluster-only altered 1f", {
  weight: "contrary",
  seen: at("2026-06-01T09:00:00Z"),
  fired: at("2026-06-01T15:00:00Z"),
  evidence: [
    evidence("tensor-docs", {
      seen: at("2026-06-01T09:00:00Z"),
      part: "claim",
      claim: "tensor-docs/cluster-only",
      change: {
        kind: "claim",
        claim: "tensor-docs/cluster-only",
        from: "supported",
        to: "altered",
        before: "To use it you must use the cluster service. You can use the Jig framework.",
        after: "You can use it with the cluster service or with machines, and with the Jig and Loom frameworks.",
      },
    }),
  ],
});

/** A release note that speaks of what a condition asks for. */
export const mentioned = firing("tensor", "loom-blog b7", {
  event: { key: "loom-blog b7" },
  seen: at("2026-08-02T10:00:00Z"),
  evidence: [
    evidence("loom-blog", {
      seen: at("2026-08-02T10:00:00Z"),
      part: "also",
      change: { kind: "item-added", item: { id: "b7", title: "Running Loom on Tensor boards" } },
      condition: { kind: "item", source: "loom-blog", matches: "Tensor", means: "a Loom post speaks of Tensor" },
      excerpt: "Backends\nTensor boards now compile most models without a graph break.",
    }),
  ],
});

/** Two blocks of one page. */
export const matrixChanged = firing("tensor", "tensor-docs changed 2e", {
  seen: at("2026-07-20T10:00:00Z"),
  evidence: ["2.12", "2.11"].map((version, index) =>
    evidence("tensor-docs", {
      seen: at("2026-07-20T10:00:00Z"),
      change: {
        kind: "block",
        before: {
          path: ["Software", "Matrix"],
          kind: "row",
          text: `Tensor ${7 - index} | Jig`,
          header: "Board | Framework",
        },
        after: {
          path: ["Software", "Matrix"],
          kind: "row",
          text: `Tensor ${7 - index} | Jig, Loom ${version}`,
          header: "Board | Framework",
        },
      },
    }),
  ),
});

export const states: readonly ClaimState[] = [
  { claim: "tensor-docs/cluster-only", status: "altered", since: at("2026-06-01") },
  { claim: "tensor-docs/bridge", status: "supported", since: at("2026-05-20") },
];
