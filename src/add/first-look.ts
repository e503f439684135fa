import { check, type World } from "../check.ts";
import type { Look, Source } from "../model.ts";
import { settle } from "../scan.ts";

/** The first look at a source that is in config by now; it is kept as any look of a scan is. */
export async function firstLook(source: Source, world: World): Promise<Look> {
  const before = (await world.store.watches()).find((watch) => watch.source === source.id);
  const checked = await check(source, before, world);
  if (!checked.kept && checked.failure) await settle(source, before, checked, world);
  else if (!checked.kept) await world.store.touch([checked.watch]);
  return checked.look;
}
