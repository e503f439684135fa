import type { Instant } from "../../src/model/time.ts";
import type { CitedWork } from "../../src/works/cited-work.ts";
import type { Registries } from "../../src/works/registries.ts";
import { type Verdict, verifierOf } from "../../src/works/verify.ts";

/** Judges citations one after the other. */
export async function verify(works: readonly CitedWork[], registries: Registries, now: Instant): Promise<Verdict[]> {
  const judge = await verifierOf(works, registries, now);
  const verdicts: Verdict[] = [];
  for (const cited of works) verdicts.push(await judge(cited));
  return verdicts;
}
