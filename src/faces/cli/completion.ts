import type { Command } from "commander";

/** The shells that can be told what may be typed. */
export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

interface Word {
  readonly word: string;
  readonly means: string;
}

/** A command as it is completed: its options, and the words that may be its argument. */
interface Completed extends Word {
  readonly options: readonly Word[];
  readonly words: readonly string[];
}

/** `recheck completion <shell>`: a script for it. Commands and options are taken from the program itself. */
export function completionScript(program: Command, shell: Shell): string {
  const commands = program.commands.map(
    (command): Completed => ({
      word: command.name(),
      means: command.description(),
      options: command.options.flatMap(({ long, description }) => (long ? [{ word: long, means: description }] : [])),
      words: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    }),
  );
  return { bash, zsh, fish }[shell](commands);
}

/** https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html */
function bash(commands: readonly Completed[]): string {
  const cases = commands.map(
    ({ word, options, words }) => `    ${word}) words="${[...words, ...options.map((one) => one.word)].join(" ")}" ;;`,
  );
  return `_recheck() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="${commands.map(({ word }) => word).join(" ")} --help --version"
  else case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _recheck recheck
`;
}

/** https://zsh.sourceforge.io/Doc/Release/Completion-System.html */
function zsh(commands: readonly Completed[]): string {
  const spec = ({ word, means }: Word) => quoted(`${word}[${means.replace(/[[\]\\:]/g, "\\$&")}]`);
  const cases = commands.map(({ word, options, words }) => {
    const argument = words.length > 0 ? `'*: :(${words.join(" ")})'` : "'*: :_files'";
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
  const lines = commands.flatMap(({ word, means, options, words }) => {
    const within = `complete -c recheck -n "__fish_seen_subcommand_from ${word}"`;
    return [
      `complete -c recheck -f -n "not __fish_seen_subcommand_from ${names}" -a ${word} -d ${quoted(means, "\\'")}`,
      ...options.map((one) => `${within} -l ${one.word.slice(2)} -d ${quoted(one.means, "\\'")}`),
      ...(words.length > 0 ? [`${within} -f -a ${quoted(words.join(" "))}`] : []),
    ];
  });
  return `${lines.join("\n")}\n`;
}

/** Between single quotes, in which a shell obeys nothing. */
function quoted(text: string, quote = "'\\''"): string {
  return `'${(quote === "\\'" ? text.replaceAll("\\", "\\\\") : text).replaceAll("'", quote)}'`;
}
