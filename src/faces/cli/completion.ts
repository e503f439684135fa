import type { Command } from "commander";
import type { Config } from "../../model/config.ts";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** Kinds of ids of a config: `all` are those that `explain` accepts. */
export const idsOf = ["sources", "triggers", "ratings", "all"] as const;
export type IdsOf = (typeof idsOf)[number];

/** The options and arguments (by no name) that want an id of the config, by command. */
const wanted: Readonly<Record<string, Readonly<Record<string, IdsOf>>>> = {
  scan: { "--source": "sources", "--trigger": "triggers" },
  status: { "--rating": "ratings" },
  explain: { "": "all" },
};

interface Word {
  readonly word: string;
  readonly means: string;
  readonly ids?: IdsOf;
}

interface Completed extends Word {
  readonly options: readonly Word[];
  readonly words: readonly string[];
}

/** `recheck completion <shell> --ids sources`: called by the script during completion. */
export function idsIn({ sources, triggers, ratings }: Config, of: IdsOf): string[] {
  const all = { sources, triggers, ratings };
  return of === "all" ? Object.values(all).flatMap((one) => [...one.keys()]) : [...all[of].keys()];
}

function asking(shell: Shell, ids: IdsOf): string {
  return `$(recheck completion ${shell} --ids ${ids} 2>/dev/null)`;
}

/** `recheck completion <shell>`: a script for it. Commands and options are taken from the program itself. */
export function completionScript(program: Command, shell: Shell): string {
  const commands = program.commands.map((command): Completed => {
    const ids = wanted[command.name()] ?? {};
    return {
      word: command.name(),
      means: command.description(),
      ids: ids[""],
      options: [...command.options, ...program.options].flatMap(({ long, description }) =>
        long ? [{ word: long, means: description, ids: ids[long] }] : [],
      ),
      words: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    };
  });
  return { bash, zsh, fish }[shell](commands);
}

/** https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html */
function bash(commands: readonly Completed[]): string {
  const values = commands.flatMap(({ word, options }) =>
    options.flatMap((one) => (one.ids ? `    "${word} ${one.word}") words="${asking("bash", one.ids)}" ;;` : [])),
  );
  const cases = commands.map(({ word, options, words, ids }) => {
    const all = [...words, ...(ids ? [asking("bash", ids)] : []), ...options.map((one) => one.word)];
    return `    ${word}) words="${all.join(" ")}" ;;`;
  });
  return `_recheck() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" option="" at
  if [[ "$current" != -* ]]; then
    for ((at = COMP_CWORD - 1; at > 1; at--)); do
      if [[ "\${COMP_WORDS[at]}" == -* ]]; then option="\${COMP_WORDS[at]}"; break; fi
    done
  fi
  case "\${COMP_WORDS[1]} $option" in
${values.join("\n")}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${commands.map(({ word }) => word).join(" ")} --help --version"
  elif [ -z "$words" ]; then case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _recheck recheck
`;
}

/** https://zsh.sourceforge.io/Doc/Release/Completion-System.html */
function zsh(commands: readonly Completed[]): string {
  const spec = ({ word, means, ids }: Word) =>
    quoted(`${word}[${means.replace(/[[\]\\:]/g, "\\$&")}]${ids ? `:id:(${asking("zsh", ids)})` : ""}`);
  const cases = commands.map(({ word, options, words, ids }) => {
    const own = [...words, ...(ids ? [asking("zsh", ids)] : [])];
    const argument = own.length > 0 ? `'*: :(${own.join(" ")})'` : "'*: :_files'";
    return `    ${word}) _arguments ${[...options.map(spec), argument].join(" ")} ;;`;
  });
  const all = commands.map(({ word, means }) => quoted(`${word}:${means.replaceAll(":", "\\:")}`));
  return `#compdef recheck
_recheck() {
  local -a commands=(${all.join(" ")})
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local command=\${words[2]}
  shift words; (( CURRENT-- ))
  case $command in
${cases.join("\n")}
  esac
}
if [ "$funcstack[1]" = _recheck ]; then _recheck "$@"; else compdef _recheck recheck; fi
`;
}

/** https://fishshell.com/docs/current/cmds/complete.html */
function fish(commands: readonly Completed[]): string {
  const names = commands.map(({ word }) => word).join(" ");
  const command = (ids: IdsOf) => quoted(asking("fish", ids).slice(1));
  const lines = commands.flatMap(({ word, means, options, words, ids }) => {
    const within = `complete -c recheck -n "__fish_seen_subcommand_from ${word}"`;
    return [
      `complete -c recheck -f -n "not __fish_seen_subcommand_from ${names}" -a ${word} -d ${quoted(means, "\\'")}`,
      ...options.map(
        (one) =>
          `${within} -l ${one.word.slice(2)} -d ${quoted(one.means, "\\'")}${one.ids ? ` -x -a ${command(one.ids)}` : ""}`,
      ),
      ...(words.length > 0 ? [`${within} -f -a ${quoted(words.join(" "))}`] : []),
      ...(ids ? [`${within} -f -a ${command(ids)}`] : []),
    ];
  });
  return `${lines.join("\n")}\n`;
}

/** Puts a text in single quotes, in which a shell interprets nothing. */
function quoted(text: string, quote = "'\\''"): string {
  return `'${(quote === "\\'" ? text.replaceAll("\\", "\\\\") : text).replaceAll("'", quote)}'`;
}
