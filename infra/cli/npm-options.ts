// npm takes options that come before `--` for itself: with `npm start --port 1`, the program gets only "1". npm leaves the
// options in the environment of the script, so the program can say what to write.
import { word } from "./quoted.ts";

export interface NamedOption {
  /** Without the dashes, such as `demo-ai`. */
  name: string;
  takesValue: boolean;
}

/** Options of npm's own, which a person or a pipeline may have set for npm itself. */
const npmsOwn = ["all", "json", "yes"];

interface Started {
  /** The script in package.json, such as `start`. */
  script: string;
  args: readonly string[];
  options: readonly NamedOption[];
  env: NodeJS.ProcessEnv;
}

/** What to write instead, when npm has taken options of this program. */
export function optionsTakenByNpm({ script, args, options, env }: Started): string | undefined {
  // The environment of `npm test` reaches the programs that tests start.
  if (env.npm_lifecycle_event !== script) return undefined;
  const setTo = ({ name }: NamedOption) => env[`npm_config_${name.replaceAll("-", "_")}`];
  const taken = options.filter((each) => setTo(each));
  if (taken.every(({ name }) => npmsOwn.includes(name))) return undefined;
  const isLoose = (each: NamedOption) => each.takesValue && setTo(each) === "true";
  // The order of several values is not known.
  const loose = taken.filter(isLoose).length === 1 ? args.at(-1) : undefined;
  const shown = taken.map((each) => {
    if (!each.takesValue) return `--${each.name}`;
    return `--${each.name} ${word(isLoose(each) ? (loose ?? "VALUE") : (setTo(each) ?? ""))}`;
  });
  const words = args.slice(0, args.length - taken.filter(isLoose).length);
  const run = script === "start" ? "npm start" : `npm run ${script}`;
  const command = [run, "--", ...words.map(word), ...shown].join(" ");
  const names = taken.map(({ name }) => `--${name}`).join(", ");
  return `npm has taken ${names} for itself. Write two dashes before the options: ${command}`;
}
