import { placeName } from "../../adapters/store/address.ts";
import type { Settings } from "../../wire/settings.ts";
import { storeFile, wireErase } from "../../wire/stores.ts";
import { answer } from "./answers/index.ts";
import { exits, type Terminal, WrongUsage } from "./terminal.ts";

interface EraseOptions {
  /** `owner/name`. */
  readonly repo?: string;
  /** A login on GitHub. */
  readonly person?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/**
 * `recheck erase`: erases all data of a repository, or the name and reasons of a person, from the store at once.
 * @throws WrongUsage | StoreProblem
 */
export async function eraseCommand(settings: Settings, options: EraseOptions, out: Terminal): Promise<number> {
  const { repo, person, yes } = options;
  const subject = repo ?? person;
  if (subject === undefined || (repo !== undefined && person !== undefined))
    throw new WrongUsage("name what to erase: --repo owner/name, or --person LOGIN");
  if (person !== undefined && !/^[\w-]{1,100}(?:\[bot\])?$/.test(person))
    throw new WrongUsage("--person is a login on GitHub");
  const place = placeName(storeFile(settings.data));
  if (!yes)
    throw new WrongUsage(`this erases ${subject} from ${place} for good: add --yes. Copies of the store keep it`);
  const store = await wireErase(settings);
  try {
    const erased = repo === undefined ? (await store.person(subject)) > 0 : await store.repository(subject);
    const says = erased ? `${subject} was erased from ${place}` : `nothing is stored of ${subject} in ${place}`;
    if (options.json) answer("erase", { command: "erase", subject, erased }, out);
    else out.line(`${says}. Copies of the store, logs and GitHub's issues are not changed.`);
    return exits.done;
  } finally {
    await store.close();
  }
}
