import type { Dice } from "./dice.ts";
import { githubFaults } from "./faults-github.ts";
import { hostileFaults } from "./faults-hostile.ts";
import { machineFaults } from "./faults-machine.ts";
import { webFaults } from "./faults-web.ts";
import type { World } from "./worlds.ts";

/** A fault that lasts for a while. */
export interface Fault {
  /** `web: reset in the body`. */
  readonly name: string;
  /** The kind of world that can have it (default: any). */
  readonly only?: World["kind"];
  /** Its frequency relative to others (default: 1). */
  readonly weight?: number;
  /** Starts it. Returns the function that ends it; undefined if this machine cannot have it. */
  begin(
    world: World,
    dice: Dice,
  ): Promise<(() => Promise<void> | void) | undefined> | (() => Promise<void> | void) | undefined;
}

export const faults: readonly Fault[] = [...webFaults, ...githubFaults, ...machineFaults, ...hostileFaults];
