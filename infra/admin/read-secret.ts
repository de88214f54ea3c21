// Reads a secret where neither the process list nor the shell's history sees it.
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { type Io, Refusal } from "./command.ts";

/** Far above any vendor's key. */
const charactersMax = 8_192;

/** One line typed without echo on a terminal; else all of standard input, less the newline at its end. */
export async function readSecret(io: Io, prompt: string): Promise<string> {
  return io.stdin.isTTY ? typed(io, prompt) : piped(io);
}

function typed({ stdin, complain }: Io, prompt: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 });
  complain(prompt);
  return new Promise<string>((resolve, reject) => {
    lines.once("line", resolve);
    lines.once("SIGINT", () => reject(new Refusal("Cancelled.")));
    lines.once("close", () => resolve("")); // Ctrl-D.
  }).finally(() => {
    lines.close();
    complain("\n");
  });
}

async function piped({ stdin }: Io): Promise<string> {
  stdin.setEncoding("utf8");
  let text = "";
  for await (const chunk of stdin) {
    text += chunk;
    if (text.length > charactersMax) throw new Refusal("Standard input is too long for an API key.");
  }
  return text.replace(/\r?\n$/, "");
}
