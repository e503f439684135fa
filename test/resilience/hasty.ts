import { settingsFrom } from "../../src/faces/environment.ts";
import type { Settings } from "../../src/wire/settings.ts";

/** As the environment says, but without the pauses that manners ask for. */
export function hasty(env: Readonly<Record<string, string | undefined>>, folder: string): Settings {
  const settings = settingsFrom(env, { config: folder });
  return { ...settings, fetch: { ...settings.fetch, pause: 0 }, github: { patience: false } };
}
