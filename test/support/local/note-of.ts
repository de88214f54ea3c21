// What a server that prints JSON notes beside it.
import type { ChildProcess } from "node:child_process";

/** Resolves when the server has printed a line that begins like this to its standard error. */
export async function noteOf({ stderr }: Pick<ChildProcess, "stderr">, start: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    stderr?.on("data", (chunk) => {
      text += chunk;
      const line = text.split("\n").find((each) => each.startsWith(start));
      if (line !== undefined) resolve(line);
    });
  });
}
