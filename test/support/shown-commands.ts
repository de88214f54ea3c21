// The commands that the documents show, and the options that each of them has.
import { documentNames, documentText } from "./documents.ts";

export interface ShownCommand {
  document: string;
  /** `npm run`, `npx cdk` or `aws`. */
  program: string;
  words: string[];
  /** With their dashes. */
  options: string[];
  /** As it is written, but with Q for each quoted text. */
  written: string;
}

const programs = /(?<![\w./-])(npm run|npx cdk|aws)((?: [^\s;&|)#`]+)+)/g;

/** Those in blocks of shell commands and in the text of each page, and those of the pipeline. */
export function shownCommands(): ShownCommand[] {
  return [...documentNames, "infra/examples/pipeline.yml"].flatMap((document) => {
    const text = documentText(document);
    if (!document.endsWith(".md")) return commandsIn(text).map((each) => ({ document, ...each }));
    const blocks = [...text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, block = ""]) => block);
    const inText = [...text.replace(/^ *```.*?^ *```$/gms, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
    return [...blocks, ...inText].flatMap((code) => commandsIn(code).map((each) => ({ document, ...each })));
  });
}

export function commandsIn(code: string): Omit<ShownCommand, "document">[] {
  const plain = code
    .replace(/\\\n\s*/g, " ")
    .replace(/'[^'\n]*'/g, "Q")
    // Not a text with a command inside, nor what stands between two of them.
    .replace(/(?<=[\s=])"(?:[^"$\n]|\$(?!\())*"/g, "Q")
    .replace(/\$\((?!aws )[^()\n]*\)/g, "Q");
  const inside: string[] = [];
  const outside = plain.replace(/\$\((aws [^()\n]*)\)/g, (_, command: string) => {
    inside.push(command);
    return "Q";
  });
  return [outside, ...inside]
    .flatMap((each) => [...each.matchAll(programs)])
    .map(([written, program = "", rest = ""]) => {
      const all = rest.trim().split(/ +/);
      const firstOption = all.findIndex((word) => word.startsWith("-") && word !== "--");
      const words = (firstOption < 0 ? all : all.slice(0, firstOption)).filter((word) => word !== "--");
      const options = all.filter((word) => /^--?[a-z]/i.test(word)).map((word) => word.split("=")[0] as string);
      return { program, words, options, written };
    });
}
