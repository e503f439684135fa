import type { FolderChanges } from "../../../adapters/files/folder.ts";
import type { MovedTable } from "../../../adapters/store/move.ts";
import type { Audit } from "../../../audit/audit.ts";
import type { SeenCitations } from "../../../audit/check/changed-citations.ts";
import type { ReportFinding } from "../../../audit/check/findings.ts";
import type { Finding } from "../../../audit/findings.ts";
import type { Proposals } from "../../../claims/mine/index.ts";
import type { Claim } from "../../../model/claim.ts";
import type { Firing } from "../../../model/firing.ts";
import type {
  OfferedTable,
  ReportFindings,
  RepositoryState,
  StoredRecheck,
  TriggerCount,
  WorkPutAside,
} from "../../../model/ports/index.ts";
import type { Problem } from "../../../model/problem.ts";
import type { Source } from "../../../model/source.ts";
import type { StatusFile } from "../../../model/status-file.ts";
import type { Instant } from "../../../model/time.ts";
import type { SyncResult } from "../../../recheck/run.ts";
import type { RatingStory, RecheckStory, TriggerStory } from "../../../status/explain/index.ts";
import type { WaitingStory } from "../../../status/explain/quiet.ts";
import type { SourceHealth, SourceStory } from "../../../status/explain/source.ts";
import type { SendReport } from "../../../status/messages/send.ts";
import type { Status } from "../../../status/status.ts";
import type { ReplayDifference } from "../../../watch/replay/both.ts";
import type { Scan } from "../../../watch/scan.ts";
import type { AddAnswer } from "../add/index.ts";
import type { AddReferencesAnswer } from "../add/references.ts";
import type { Probe } from "../probe.ts";
import type { ExaminedPart } from "../store.ts";

/**
 * The answer of each command to `--json`, by command, and by the question if a command has several answers. Things and states
 * have the names of `status.json`. `npm run schema` writes answers.schema.json from these types; properties marked
 * as internal are left out.
 */
export interface Answers {
  readonly scan: {
    readonly command: "scan";
    readonly scan: Omit<Scan, "hasNews"> & { readonly unaudited?: string };
    readonly sync: SyncResult;
    readonly messages?: SendReport;
    readonly status: Standing;
    readonly state?: { readonly branch: string; readonly from: string };
  };
  readonly status: Standing & { readonly command: "status" };
  readonly repositories: {
    readonly command: "status";
    readonly repositories: readonly (Pick<RepositoryState, "name" | "standing"> & { readonly says: string })[];
    readonly putAside: readonly (WorkPutAside & { readonly repository?: string })[];
  };
  readonly explain: { readonly command: "explain"; readonly stories: readonly StoryAnswer[] };
  readonly backtest: Replayed & { readonly firings: readonly Firing[]; readonly rechecks: readonly OpenedRecheck[] };
  readonly "backtest-of-trigger": Replayed &
    Readonly<Record<"came" | "went", readonly Firing[]>> &
    Pick<ReplayDifference, "stayed" | "rechecks">;
  readonly publish: { readonly command: "publish"; readonly out: string } & FolderChanges;
  readonly notify: {
    readonly command: "notify";
    readonly channels: readonly { readonly channel: string; readonly sent: boolean; readonly says?: string }[];
  };
  readonly validate: {
    readonly command: "validate";
    readonly problems: readonly Problem[];
    readonly warnings: readonly Problem[];
  };
  readonly audit: AuditAnswer & { readonly command: "audit" };
  readonly init: {
    readonly command: "init";
    readonly report: string;
    readonly at: Instant;
    readonly faults: readonly string[];
    readonly written: boolean;
    readonly claims: ClaimsAnswer;
    /** Everything that is out of date in the report today. */
    readonly audit?: AuditAnswer;
    readonly givenUp: readonly string[];
    readonly later: readonly string[];
    readonly asked: readonly TriggerCount[];
    readonly found: ReportFindings;
    readonly goOver: readonly string[];
    readonly tables: readonly OfferedTable[];
    readonly probes: readonly Probe[];
    readonly files: readonly { readonly path: string; readonly text: string }[];
  };
  readonly claims: ClaimsAnswer & {
    readonly command: "claims";
    readonly report: string;
    readonly read: number;
    readonly unread: number;
    readonly written: boolean;
    readonly diff: string;
  };
  readonly check: Pick<SeenCitations, "unread"> & {
    readonly command: "check";
    readonly since: string;
    readonly required: boolean;
    readonly sentences: number;
    readonly pages: number;
    readonly findings: readonly ReportFinding[];
    readonly cut: readonly string[];
  };
  readonly add: AddAnswer & { readonly command: "add" };
  readonly "add-references": AddReferencesAnswer & { readonly command: "add" };
  readonly backup: StoreFile & { readonly command: "backup" };
  readonly restore: StoreFile & { readonly command: "restore"; readonly store: string; readonly kept?: string };
  readonly move: {
    readonly command: "move";
    readonly from: string;
    readonly to: string;
    readonly tables: readonly MovedTable[];
  };
  readonly erase: { readonly command: "erase"; readonly subject: string; readonly erased: boolean };
  readonly doctor: { readonly command: "doctor"; readonly left: number; readonly examined: readonly ExaminedPart[] };
}

/** The state of a report, with the fields that only its author needs. */
export type Standing = StatusFile &
  Pick<Status, "nextCheck" | "unseen" | "unnamed" | "waiting" | "baselines"> & { readonly messages: Status["unsent"] };

interface Replayed {
  readonly command: "backtest";
  readonly since: Instant;
  readonly until?: Instant;
}

type OpenedRecheck = Pick<StoredRecheck, "trigger" | "state" | "issue" | "opened"> & { readonly closed?: Instant };

interface StoreFile {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

type ClaimsAnswer = Omit<Proposals, "claims" | "contradicted"> & {
  readonly claims: readonly Pick<Claim, "id" | "source" | "says" | "ratings" | "cites" | "proof">[];
};

export type AuditAnswer = Omit<Audit, "findings" | "citedPages" | "works" | "outage"> & {
  readonly findings: readonly FindingAnswer[];
};

type FindingAnswer = Omit<Finding, "cited" | "also" | "contradiction"> &
  Pick<Finding["cited"], "address" | "title" | "numbers" | "file" | "line"> & {
    readonly also: readonly Pick<Finding["cited"], "address" | "file" | "line">[];
  };

export type StoryAnswer = RatingStory | TriggerStory | RecheckStory | SourceAnswer;

type SourceAnswer = Omit<SourceStory, "source" | "health" | "waiting"> & {
  readonly source: SourceHealth & Pick<Source, "kind" | "address" | "title">;
  readonly waiting: readonly Omit<WaitingStory, "source">[];
};
