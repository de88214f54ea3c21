// The line of a shell that sets the keys for the samples. It has no key itself: the browser shows it.
import { quoted } from "../../cli/quoted.ts";
import type { Target } from "./target.ts";

export interface KeysLine {
  line: string;
  /** What the line does, as a sentence. */
  about: string;
}

export function keysLineOf({ keysFile }: Pick<Target, "keysFile">): KeysLine {
  if (keysFile === undefined)
    return {
      line: typed,
      about: "This command waits until you have pasted two lines: the API key, then the auth token.",
    };
  const file = quoted(keysFile);
  const read = (field: string) => `"$(node -p 'require(process.argv[1]).${field}' ${file})"`;
  return {
    line: `export API_KEY=${read("apiKey")} AUTH_TOKEN=${read("authToken")}`,
    about: "This command reads those of the demo workspace from the data folder.",
  };
}

/** What is typed is not shown. */
const typed = "read -rs API_KEY && read -rs AUTH_TOKEN && export API_KEY AUTH_TOKEN";
