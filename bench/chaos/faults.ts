import type { Dice } from "./dice.ts";
import { githubFaults } from "./faults-github.ts";
import { hostileFaults } from "./faults-hostile.ts";
import { machineFaults } from "./faults-machine.ts";
import { webFaults } from "./faults-web.ts";
import type { World } from "./worlds.ts";

/** Something that goes wrong for a while. */
export interface Fault {
  /** `web: reset in the body`. */
  readonly name: string;
  /** The kind of world that can have it; any unless told. */
  readonly only?: World["kind"];
  /** How often it comes, beside others: 1 unless told. */
  readonly weight?: number;
  /** Lets it begin. Returns what ends it; undefined where this machine cannot have it. */
  begin(
    world: World,
    dice: Dice,
  ): Promise<(() => Promise<void> | void) | undefined> | (() => Promise<void> | void) | undefined;
}

export const faults: readonly Fault[] = [...webFaults, ...githubFaults, ...machineFaults, ...hostileFaults];
