// Prints a script that defines the shell function `admin`, with completion of commands, options and values. The script
// is made from the command tree and calls nothing, so completion is immediate.
import { fileURLToPath } from "node:url";
import { Argument, type Command } from "commander";
import { addPlainAction, type Io } from "./command.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

export function addCompletion(program: Command, io: Io): void {
  const command = program
    .command("completion")
    .description("print a script that defines `admin` in your shell, with completion")
    .addHelpText("after", `\n${usage}`)
    .addArgument(new Argument("<shell>", "your shell").choices(shells));
  addPlainAction(command, io, async (_, shell: Shell) => {
    const script = scriptOf(shell, entriesOf(program));
    return { json: { script }, text: script };
  });
}

/** It works in each folder. Its paths begin in the folder of the service, as those of `npm run` do. */
const runAdmin = `npm --prefix '${fileURLToPath(new URL("../..", import.meta.url)).replaceAll("'", "'\\''")}' run --silent admin --`;

const usage = `Run this once in each shell, or add it to its start file:
  bash:  source <(${runAdmin} completion bash)
  zsh:   source <(${runAdmin} completion zsh)
  fish:  ${runAdmin} completion fish | source
Then \`admin jobs list\` is \`npm run --silent admin -- jobs list\`, in each folder. Paths begin in the folder of the service.
`;

/** In place of words: names of files, and any value. They stand at the end. */
const [files, anyValue] = ["@files", "@value"];

/** What can follow some words: after `jobs list --state`, the states. */
interface Entry {
  /** Commands, and at the end perhaps the option that takes a value. */
  after: string;
  words: string[];
}

function entriesOf(command: Command, path: string[] = []): Entry[] {
  const after = path.join(" ");
  const options = command.options.filter(({ hidden, long }) => !hidden && long);
  const values = options.flatMap(({ long, flags, argChoices, required }) =>
    required ? [{ after: `${after} ${long}`, words: argChoices ?? [namesFile(flags) ? files : anyValue] }] : [],
  );
  const named = command.commands.map((each) => each.name());
  const words = [
    ...named,
    ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    ...options.map(({ long }) => long as string),
    "--help",
    ...(command.registeredArguments.some((each) => namesFile(each.name())) ? [files] : []),
  ];
  const inner = command.commands.flatMap((each) => entriesOf(each, [...path, each.name()]));
  return [{ after, words }, ...values, ...inner];
}

const namesFile = (text: string) => /\b(?:file|dir)\b/.test(text);

function scriptOf(shell: Shell, entries: Entry[]): string {
  return shell === "fish" ? fishScript(entries) : shell === "zsh" ? zshScript(entries) : bashScript(entries);
}

/** The words are names of commands, options and choices. None needs quotes within quotes. */
const cases = (entries: Entry[]) =>
  entries.map(({ after, words }) => `    "${after}") words="${words.join(" ")}" ;;`).join("\n");

/** `path` gets the commands before the cursor; an option before it is looked up first. */
const bashScript = (entries: Entry[]) => `admin() { ${runAdmin} "$@"; }
_admin_words() {
  case "$1" in
${cases(entries)}
    *) words="" ;;
  esac
}
_admin() {
  local words path="" word last="\${COMP_WORDS[$((COMP_CWORD - 1))]}"
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    _admin_words "\${path:+$path }$word"
    [[ -n $words && $word != -* ]] && path="\${path:+$path }$word"
  done
  words=""
  [[ $last == -* ]] && _admin_words "$path $last"
  [[ -z $words ]] && _admin_words "$path"
  COMPREPLY=($(compgen -W "\${words%%@*}" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [[ $words == *${files} ]] || return 0
  compopt -o filenames 2>/dev/null
  local IFS=$'\\n'
  COMPREPLY+=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _admin admin`;

const zshScript = (entries: Entry[]) => `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
autoload -Uz bashcompinit && bashcompinit
${bashScript(entries)}`;

const fishScript = (entries: Entry[]) => `function admin; ${runAdmin} $argv; end
function __admin_words
  switch "$argv[1]"
${entries.map(({ after, words }) => `    case "${after}"; printf '%s\\n' ${words.join(" ")}`).join("\n")}
  end
end
function __admin
  set -l typed (commandline -opc)[2..]
  set -l path ""
  for word in $typed
    string match -q -- '-*' $word; and continue
    set -l next (string trim "$path $word")
    set -l known (__admin_words $next)
    test -n "$known"; and set path $next
  end
  set -l words
  string match -q -- '-*' "$typed[-1]"; and set words (__admin_words "$path $typed[-1]")
  test -n "$words"; or set words (__admin_words $path)
  printf '%s\\n' $words | string match -v '@*'
  contains -- ${files} $words; and __fish_complete_path (commandline -ct)
end
complete -c admin -f -a '(__admin)'`;
