// Reads a secret from standard input, so that it appears neither in the process list nor in the shell's history.
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { type Io, UserError } from "./command.ts";

/** Far longer than any vendor's key. */
const secretCharactersMax = 8_192;

/** Reads one line without echo on a terminal. Otherwise reads all of standard input, without the newline at its end. */
export async function readSecret(io: Io, prompt: string): Promise<string> {
  return io.stdin.isTTY ? readFromTerminal(io, prompt) : readFromPipe(io);
}

function readFromTerminal({ stdin, printError }: Io, prompt: string): Promise<string> {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: discard, terminal: true, historySize: 0 });
  printError(prompt);
  return new Promise<string>((resolve, reject) => {
    lines.once("line", resolve);
    lines.once("SIGINT", () => reject(new UserError("Cancelled.")));
    lines.once("close", () => resolve("")); // Ctrl-D.
  }).finally(() => {
    lines.close();
    printError("\n");
  });
}

async function readFromPipe({ stdin }: Io): Promise<string> {
  stdin.setEncoding("utf8");
  let text = "";
  for await (const chunk of stdin) {
    text += chunk;
    if (text.length > secretCharactersMax)
      throw new UserError(
        `Standard input is too long for an API key: it has more than ${secretCharactersMax} characters.`,
      );
  }
  return text.replace(/\r?\n$/, "");
}
