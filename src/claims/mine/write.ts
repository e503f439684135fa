import { addClaims } from "../../config/edit/claims.ts";
import { parseConfig } from "../../config/index.ts";
import { type ConfigText, textOf } from "../../config/text.ts";
import type { Claim } from "../../model/claim.ts";
import type { Config } from "../../model/config.ts";
import type { Reader } from "../../read/reader.ts";

export interface WithClaims<F extends ConfigText> {
  readonly files: readonly (F | { readonly path: string; readonly text: string })[];
  readonly config: Config;
  readonly written: readonly Claim[];
}

/**
 * Writes claims into `sources.yaml`; comments and spelling stay. Undefined if there are none, or if the result would
 * not be a valid config.
 */
export function withClaims<F extends ConfigText>(
  files: readonly F[],
  claims: readonly Claim[],
  readers: ReadonlyMap<string, Reader>,
): WithClaims<F> | undefined {
  const sources = files.find(({ path }) => /(?:^|\/)sources\.ya?ml$/.test(path));
  if (!sources || typeof textOf(sources) !== "string" || claims.length === 0) return undefined;
  const whole = new TextDecoder("utf-8", { ignoreBOM: true });
  const { text, left } = addClaims(
    typeof sources.text === "string" ? sources.text : whole.decode(sources.text),
    claims,
  );
  const written = claims.filter((claim) => !left.includes(claim));
  if (written.length === 0) return undefined;
  const after = files.map((file) => (file === sources ? { path: file.path, text } : file));
  const { config } = parseConfig(after, readers);
  return config && { files: after, config, written };
}
