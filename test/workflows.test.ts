import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { releasePlan } from "../scripts/release-plan.ts";

/** What GitHub reads of this repository: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax */
interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
}
interface Workflow {
  readonly permissions: Record<string, string>;
  readonly jobs: Record<string, { readonly permissions?: Record<string, string>; readonly steps: readonly Step[] }>;
}

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const workflows = globSync(".github/workflows/*.yml", { cwd: root });

describe("workflows", () => {
  test("there are two", () =>
    expect(workflows.toSorted()).toEqual([".github/workflows/ci.yml", ".github/workflows/release.yml"]));

  test.each(workflows)(
    "expression injection: %s may read by default, pins what it uses, and puts no expression into a script",
    (file) => {
      const { permissions, jobs } = parse(read(file)) as Workflow;
      expect(permissions).toEqual({ contents: "read" });
      const steps = Object.values(jobs).flatMap((job) => job.steps);
      for (const { uses, run } of steps) {
        if (uses !== undefined) expect(uses).toMatch(/@[0-9a-f]{40}$/);
        // An expression is replaced before the shell reads it: whoever writes its value would write the script.
        expect(run ?? "").not.toContain("${{");
      }
    },
  );

  test("a change must pass all checks of a release", () => {
    const ci = parse(read(".github/workflows/ci.yml")) as Workflow;
    expect(Object.values(ci.jobs).flatMap(({ steps }) => steps.map(({ run }) => run))).toContain(".ci/run");
  });

  test("a release publishes only for a tag, and only what was tried before", () => {
    const { jobs } = parse(read(".github/workflows/release.yml")) as Workflow & {
      jobs: Record<string, { needs?: string | string[] }>;
    };
    const leaving = Object.values(jobs).flatMap(({ steps }) =>
      steps.filter(({ run }) =>
        /npm publish(?! --ignore-scripts --dry-run)|docker push|git push|cosign sign|gh release/.test(run ?? ""),
      ),
    );
    expect(leaving).toHaveLength(5);
    for (const step of leaving) expect(step.if).toBe("env.PUBLISH == 'true'");
    expect(Object.entries(jobs).flatMap(([name, { needs }]) => (needs === undefined ? [name] : []))).toEqual(["test"]);
  });

  test("a release signs and attests the package, the image and the bundle that the action runs", () => {
    const workflow = read(".github/workflows/release.yml");
    const { jobs } = parse(workflow) as Workflow;
    const attesting = Object.values(jobs).flatMap(({ steps }) =>
      steps.filter(({ uses }) => /\/attest-/.test(uses ?? "")),
    );
    for (const step of attesting) expect(step.if).toBe("env.PUBLISH == 'true'");
    const plan = releasePlan(workflow);
    expect(plan.filter((line) => !line.startsWith(" "))).toEqual(
      ["npm", "image", "action"].map((job) => `${job}: environment release, signed as this workflow`),
    );
    expect(plan).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/npm publish .*--provenance/),
        '  cosign sign --yes "$NAME@$DIGEST"',
        "  attest-build-provenance: image",
        "  attest-sbom: image, with recheck.cdx.json",
        "  attest-build-provenance: dist/**/*.js",
        expect.stringMatching(/gh release create .* recheck\.cdx\.json/),
      ]),
    );
  });

  test("if a token can write, no package's script runs, and no package or Node beside git and Docker", () => {
    const { jobs } = parse(read(".github/workflows/release.yml")) as Workflow;
    for (const { permissions = {}, steps } of Object.values(jobs)) {
      const scripts = steps.map(({ run = "" }) => run).join("\n");
      for (const line of scripts.split("\n")) {
        if (/npm (ci|install|publish)/.test(line)) expect(line).toContain("--ignore-scripts");
      }
      if (permissions.contents !== "write") continue;
      expect(scripts).not.toMatch(/\b(node|npm|npx)\b/);
      expect(steps.some(({ uses = "" }) => uses.startsWith("actions/setup-node"))).toBe(false);
    }
  });

  test("the image and the action are signed and attested, by jobs of the protected environment", () => {
    const { jobs } = parse(read(".github/workflows/release.yml")) as Workflow & {
      jobs: Record<string, { environment?: string }>;
    };
    const attesting = Object.entries(jobs).filter(([, { steps }]) =>
      steps.some(({ uses = "", run = "" }) => uses.startsWith("actions/attest-") || run.startsWith("cosign sign")),
    );
    expect(attesting.map(([name]) => name)).toEqual(["image", "action"]);
    const writing = Object.values(jobs).filter(({ permissions = {} }) => Object.values(permissions).includes("write"));
    expect(writing.map(({ environment }) => environment)).toEqual(["release", "release", "release"]);
    for (const { uses = "", if: condition } of attesting.flatMap(([, { steps }]) => steps))
      if (/attest|cosign/.test(uses)) expect(condition).toBe("env.PUBLISH == 'true'");
  });

  test("a release holds a list of all that is in it", () => {
    const { jobs } = parse(read(".github/workflows/release.yml")) as Workflow;
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    expect(steps.some(({ run = "" }) => run.startsWith("npm sbom"))).toBe(true);
    expect(steps.some(({ run = "" }) => /^gh release create .* recheck\.cdx\.json/.test(run))).toBe(true);
  });

  test("the image is based on a digest, and runs as nobody in particular", () => {
    const lines = read("Dockerfile").split("\n");
    expect(lines.find((line) => line.startsWith("ARG BASE="))).toMatch(/@sha256:[0-9a-f]{64}$/);
    expect(lines.filter((line) => line.startsWith("FROM ")).every((line) => /\{BASE\}/.test(line))).toBe(true);
    expect(lines).toContain("USER 1000:1000");
    expect(
      lines.filter((line) => /npm (ci|install)/.test(line)).every((line) => line.includes("--ignore-scripts")),
    ).toBe(true);
  });
});

describe("the image", () => {
  const lines = read("Dockerfile").split("\n");

  test("holds no secret: it takes in what is named, and none is given to its build", () => {
    const copied = lines.filter((line) => /^(COPY|ADD) /.test(line) && !line.includes("--from="));
    for (const line of copied) expect(line).toMatch(/^COPY (?:[\w./-]+ )+\.\/(?:[\w/]+)?$/);
    for (const line of lines.filter((one) => /^(ARG|ENV| )/.test(one)))
      expect(line).not.toMatch(/TOKEN|SECRET|KEY|PASSWORD/);
    expect(read(".npmrc")).not.toMatch(/_auth|_password|token/i);
    const [all, ...rest] = read(".dockerignore").trim().split("\n");
    expect(all).toBe("*");
    expect(rest.every((line) => line.startsWith("!"))).toBe(true);
    expect(rest.filter((line) => /env|pem|recheck$|data/.test(line))).toEqual([]);
  });

  test("holds no report: a server that is given none of its own does not watch another's", () => {
    expect(lines.filter((line) => /^COPY .*(sources\.yaml|triggers)/.test(line))).toEqual([]);
    expect(read(".dockerignore")).not.toMatch(/sources\.yaml|triggers/);
  });

  test("runs in each example with a root that is only read, and without any capability", () => {
    const running = read("docs/running.md").replaceAll("\\\n", " ");
    const runs = [...running.matchAll(/docker run [^\n]*/g)].map(([line]) => line);
    expect(runs.length).toBeGreaterThan(2);
    for (const line of runs)
      for (const option of ["--read-only", "--tmpfs /tmp", "--cap-drop ALL", "--security-opt no-new-privileges"])
        expect(line).toContain(option);
  });
});

describe("issue forms", () => {
  const forms = globSync(".github/ISSUE_TEMPLATE/*-*.yml", { cwd: root });

  test.each(forms)("%s asks for both versions of the page", (file) => {
    const { name, description, body } = parse(read(file));
    expect([name, description].every((text) => typeof text === "string" && text !== "")).toBe(true);
    const ids = body.flatMap(({ id, validations }: { id?: string; validations?: { required: boolean } }) =>
      validations?.required ? [id] : [],
    );
    expect(ids).toEqual(expect.arrayContaining(["address", "before", "after"]));
  });
});
