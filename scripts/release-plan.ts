import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/** `npm run release:plan`: prints what `.github/workflows/release.yml` would publish, sign and attest, job by job. */

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

const leaving = /npm publish(?! --ignore-scripts --dry-run)|docker push|cosign sign|git push|gh release create/;

/** A line for each thing that leaves the workflow. */
export function releasePlan(workflow: string): string[] {
  const { jobs } = parse(workflow) as { jobs: Readonly<Record<string, Job>> };
  return Object.entries(jobs).flatMap(([name, { environment, permissions = {}, steps }]) => {
    const signs = permissions["id-token"] === "write" ? `, signed as this workflow` : "";
    const head = `${name}: environment ${environment ?? "none"}${signs}`;
    const lines = steps.flatMap((step) => lineOf(step));
    return lines.length === 0 ? [] : [head, ...lines.map((line) => `  ${line}`)];
  });
}

function lineOf({ uses = "", run = "", with: given = {} }: Step): string[] {
  const commands = run.split("\n").filter((line) => leaving.test(line));
  const action = /^actions\/(attest-[\w-]+)@/.exec(uses)?.[1];
  if (action === undefined) return commands.map((line) => line.trim());
  const subject = given["subject-path"] ?? (given["sbom-path"] ? `image, with ${given["sbom-path"]}` : "image");
  return [`${action}: ${subject}`];
}

if (import.meta.main) {
  const file = join(import.meta.dirname, "../.github/workflows/release.yml");
  for (const line of releasePlan(readFileSync(file, "utf8"))) process.stdout.write(`${line}\n`);
}
