import type { Command, Option } from "commander";
import type { Config } from "../../model/config.ts";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** The options and arguments that want an id of the config. */
const idsFor: Readonly<Record<string, (config: Config) => Iterable<string>>> = {
  "scan --source": ({ sources }) => sources.keys(),
  "scan --trigger": ({ triggers }) => triggers.keys(),
  "status --rating": ({ ratings }) => ratings.keys(),
  explain: ({ sources, triggers, ratings }) => [...sources.keys(), ...triggers.keys(), ...ratings.keys()],
};

interface Offered {
  readonly word: string;
  readonly means?: string;
}

/**
 * `recheck completion <shell> --typed LINE`: the possible last words of this line, each with a space and its meaning. Empty
 * if none is possible: then shells offer files.
 */
export async function completions(program: Command, line: string, config: () => Promise<Config>): Promise<string[]> {
  const [name, ...words] = line.split(" ").slice(1);
  const current = words.at(-1) ?? name ?? "";
  const all = words.length === 0 ? offeredFirst(program) : await offeredAfter(program, name, words, config);
  return all.filter(({ word }) => word.startsWith(current)).map(({ word, means = "" }) => `${word} ${means}`.trim());
}

function offeredFirst(program: Command): Offered[] {
  const help = program.createHelp();
  const commands = help.visibleCommands(program);
  return [
    ...commands.map((one) => ({ word: one.name(), means: one.description() })),
    ...help.visibleOptions(program).flatMap(offeredOption),
  ];
}

async function offeredAfter(
  program: Command,
  name: string | undefined,
  words: readonly string[],
  config: () => Promise<Config>,
): Promise<Offered[]> {
  const help = program.createHelp();
  const command = program.commands.find((one) => one.name() === name);
  if (!command) return [];
  const [argument] = command.registeredArguments;
  const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  const [current = "", ...before] = words.toReversed();
  const last = before.find((word) => word.startsWith("-")) ?? "";
  const option = options.find(
    (one) => [one.short, one.long].includes(last) && one.required && (one.variadic || before[0] === last),
  );
  const taken = option ?? argument;
  if (current.startsWith("-") || !taken) return options.flatMap(offeredOption);
  const ids = idsFor[option ? `${name} ${option.long}` : command.name()];
  const values = ids ? [...ids(await config())] : (taken.argChoices ?? []);
  return values.map((word) => ({ word }));
}

function offeredOption({ long, description }: Option): Offered[] {
  return long ? [{ word: long, means: description }] : [];
}

/** Each script asks this program for the possible words, so that it always knows the present commands. */
export const completionScripts: Readonly<Record<Shell, string>> = {
  // https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html
  bash: `_recheck() {
  local typed="\${COMP_WORDS[*]:0:COMP_CWORD+1}"
  local IFS=$'\\n'
  COMPREPLY=($(recheck completion bash --typed "$typed" 2>/dev/null | cut -d" " -f1))
}
complete -o default -F _recheck recheck`,
  // https://zsh.sourceforge.io/Doc/Release/Completion-System.html
  zsh: `#compdef recheck
_recheck() {
  local -a offered=(\${(f)"$(recheck completion zsh --typed "\${words[1,CURRENT-1]} $PREFIX" 2>/dev/null)"})
  offered=(\${\${offered//:/\\\\:}/ /:})
  if (( $#offered )); then _describe word offered; else _files; fi
}
if [ "$funcstack[1]" = _recheck ]; then _recheck "$@"; else compdef _recheck recheck; fi`,
  // https://fishshell.com/docs/current/cmds/complete.html
  fish: `function __recheck
  set -l typed (string join -- ' ' (commandline -opc) (commandline -ct))
  set -l offered (recheck completion fish --typed "$typed" 2>/dev/null)
  if set -q offered[1]
    string replace -- ' ' \\t $offered
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c recheck -f -a "(__recheck)"`,
};
