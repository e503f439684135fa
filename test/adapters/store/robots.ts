import type { HostMemory } from "../../../src/model/ports/index.ts";

/** Saves 80 MB of rules, in eight, and returns which of them are known after the others were forgotten. */
export async function manyRobots(hosts: HostMemory): Promise<number[]> {
  const rules = "r".repeat(10_000_000);
  const all = Array.from({ length: 8 }, (_, i) => ({ at: i + 1, origin: `https://many${i + 1}.example` }));
  for (const { at, origin } of all)
    await hosts.saveRobots({ product: "Recheck", origin, rules, read: at, validators: {} });
  await hosts.forget(10);
  const known = [];
  for (const { at, origin } of all) if (await hosts.robots("Recheck", origin)) known.push(at);
  return known;
}
