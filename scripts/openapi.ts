import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Cuts the operations that Recheck uses out of GitHub's OpenAPI description, for `test/github/openapi.json`.
 *
 * The description is a package of 400 MB, so it is not a dependency:
 *   npm i --prefix "$(mktemp -d)" @octokit/openapi@23.0.2
 *   npx node scripts/openapi.ts DIRECTORY/node_modules/@octokit/openapi
 */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Node = { [key: string]: Json };

const issue = "/repos/{owner}/{repo}/issues/{issue_number}";
const operations: Record<string, readonly string[]> = {
  "/app": ["get"],
  "/app/installations": ["get"],
  "/app/installations/{installation_id}/access_tokens": ["post"],
  "/installation/repositories": ["get"],
  "/installation/token": ["delete"],
  "/app-manifests/{code}/conversions": ["post"],
  "/repos/{owner}/{repo}": ["get"],
  "/repos/{owner}/{repo}/installation": ["get"],
  "/repos/{owner}/{repo}/issue-types": ["get"],
  "/repos/{owner}/{repo}/issues": ["get", "post"],
  [issue]: ["get", "patch"],
  [`${issue}/comments`]: ["get", "post"],
  [`${issue}/labels`]: ["get", "post"],
  [`${issue}/labels/{name}`]: ["delete"],
  [`${issue}/reactions`]: ["get", "post"],
  "/repos/{owner}/{repo}/issues/comments": ["get"],
  "/repos/{owner}/{repo}/issues/comments/{comment_id}": ["get", "patch"],
  "/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions": ["get", "post"],
  "/repos/{owner}/{repo}/labels": ["get", "post"],
  "/repos/{owner}/{repo}/labels/{name}": ["get", "patch"],
  "/repos/{owner}/{repo}/collaborators/{username}/permission": ["get"],
  "/repos/{owner}/{repo}/contents/{path}": ["get", "put"],
  "/repos/{owner}/{repo}/git/ref/{ref}": ["get"],
  "/repos/{owner}/{repo}/git/refs": ["post"],
  "/repos/{owner}/{repo}/git/refs/{ref}": ["patch", "delete"],
  "/repos/{owner}/{repo}/git/trees": ["post"],
  "/repos/{owner}/{repo}/git/trees/{tree_sha}": ["get"],
  "/repos/{owner}/{repo}/git/commits": ["post"],
  "/repos/{owner}/{repo}/git/commits/{commit_sha}": ["get"],
  "/repos/{owner}/{repo}/git/blobs": ["post"],
  "/repos/{owner}/{repo}/git/blobs/{file_sha}": ["get"],
  "/repos/{owner}/{repo}/commits": ["get"],
  "/repos/{owner}/{repo}/commits/{ref}": ["get"],
  "/repos/{owner}/{repo}/commits/{ref}/check-runs": ["get"],
  "/repos/{owner}/{repo}/pulls": ["get", "post"],
  "/repos/{owner}/{repo}/pulls/{pull_number}": ["get", "patch"],
  "/repos/{owner}/{repo}/pulls/{pull_number}/files": ["get"],
  "/repos/{owner}/{repo}/check-runs": ["post"],
  "/repos/{owner}/{repo}/check-runs/{check_run_id}": ["patch"],
};

const [root] = process.argv.slice(2);
if (!root) throw new Error("usage: node scripts/openapi.ts DIRECTORY/node_modules/@octokit/openapi");
const text = (path: string): string => readFileSync(join(root, path), "utf8");
const whole = JSON.parse(text("generated/api.github.com.json")) as Node;
const version = (JSON.parse(text("package.json")) as { version: string }).version;

const at = (pointer: string): Json | undefined =>
  pointer
    .slice(2)
    .split("/")
    .reduce<Json | undefined>((node, key) => (node as Node | undefined)?.[key], whole);

/** Keys that only people read; but a property may have such a name. */
const prose = new Set([
  "description",
  "summary",
  "example",
  "examples",
  "externalDocs",
  "x-github",
  "title",
  "deprecated",
]);

/** References are put in place: the schemas of requests are not recursive. */
function slim(node: Json, isNames = false): Json {
  if (Array.isArray(node)) return node.map((each) => slim(each));
  if (node === null || typeof node !== "object") return node;
  if (typeof node.$ref === "string") return slim(at(node.$ref) ?? null);
  const kept = Object.entries(node).filter(([key]) => isNames || !prose.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, slim(value, key === "properties")]));
}

const paths: Node = {};
for (const [path, methods] of Object.entries(operations)) {
  const kept: Node = {};
  for (const method of methods) {
    const operation = (whole.paths as Node)[path] as Node | undefined;
    const found = operation?.[method] as Node | undefined;
    if (!found) throw new Error(`not in this version: ${method} ${path}`);
    const { operationId = null, parameters = [], requestBody } = found;
    kept[method] = slim({ operationId, parameters, ...(requestBody ? { requestBody } : {}) });
  }
  paths[path] = kept;
}
const extract = { source: `@octokit/openapi ${version}`, openapi: whole.openapi ?? null, paths };
writeFileSync("test/github/openapi.json", `${JSON.stringify(extract)}\n`);
