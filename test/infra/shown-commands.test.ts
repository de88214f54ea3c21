// Each command that a document shows exists, with the options that it has there.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { admin } from "../../infra/admin/program.ts";
import { defaults } from "../../infra/stack/settings.ts";
import { awsCommands, awsGlobalOptions } from "../support/aws-cli.ts";
import { documentText } from "../support/documents.ts";
import { commandsIn, type ShownCommand, shownCommands } from "../support/shown-commands.ts";
import { root, sources } from "../support/sources.ts";

const shown = shownCommands();
const of = (program: string) => shown.filter((each) => each.program === program);
const { scripts } = JSON.parse(documentText("package.json")) as { scripts: Record<string, string> };

/** Each command of which `problemOf` says something. */
function problems(commands: readonly ShownCommand[], problemOf: (command: ShownCommand) => string | undefined) {
  return commands.flatMap((each) => {
    const problem = problemOf(each);
    return problem === undefined ? [] : [`${each.document}: ${each.written}: ${problem}`];
  });
}

const missing = (options: readonly string[], isKnown: (option: string) => boolean) => {
  const unknown = options.filter((option) => !isKnown(option));
  return unknown.length > 0 ? `no option ${unknown.join(", ")}` : undefined;
};

it("commands are read with their words and options, also in substitutions, and without quoted texts", () => {
  const code = `aws a tag --arn "$(aws logs query --text "a | b --c" --from $(date -d '1 hour ago' +%s) --query x)" --tags "$T"
npm run admin -- jobs retry ID --stack NAME      # or --all
npx cdk synth --quiet && npm run guard -- --first`;
  expect(commandsIn(code).map(({ program, words, options }) => [program, ...words, ...options])).toEqual([
    ["aws", "a", "tag", "--arn", "--tags"],
    ["npm run", "admin", "jobs", "retry", "ID", "--stack"],
    ["npx cdk", "synth", "--quiet"],
    ["npm run", "guard", "--first"],
    ["aws", "logs", "query", "--text", "--from", "--query"],
  ]);
});

describe("npm run", () => {
  /** What a script's own files say about its options. */
  const textOf = (script: string) => {
    const [, file = ""] = /^node (\S+)$/.exec(scripts[script] ?? "") ?? [];
    const folder = file.replace(/(?:\/(?:main|run))?\.ts$/, "/");
    const own = sources(file.split("/")[0] as string).filter(
      (each) => each.file === file || each.file.startsWith(folder),
    );
    return own.map(({ text }) => text).join("\n");
  };

  it("has scripts of these names, with these options", () => {
    const others = of("npm run").filter(({ words }) => words[0] !== "admin");
    expect(others.length).toBeGreaterThan(20);
    const found = problems(others, ({ words: [script = ""], options }) => {
      if (!(script in scripts)) return "no such script";
      // vitest's own option.
      const own = script === "check" ? ["-u"] : [];
      return missing(options, (option) => own.includes(option) || textOf(script).includes(option));
    });
    expect(found).toEqual([]);
  });

  it("has administration commands of these names, with these options", async () => {
    const commands = of("npm run").filter(({ words }) => words[0] === "admin");
    expect(commands.length).toBeGreaterThan(15);
    for (const { words, options, written } of commands) {
      // Words in upper case are arguments.
      const names = words.slice(1).filter((word) => /^[a-z-]+$/.test(word));
      let help = "";
      const print = (text: string) => {
        help += text;
      };
      await admin([...names, "--help"], { stdin: Readable.from([]), print, printError: print });
      expect(help, written).toContain(`Usage: ${["npm run admin --", ...names].join(" ")} `);
      expect(
        missing(options, (option) => help.includes(option)),
        written,
      ).toBeUndefined();
    }
  });
});

describe("npx cdk", () => {
  interface Options {
    [name: string]: { alias?: string };
  }
  const registry = join(root, "node_modules/aws-cdk/lib/cli/cli-type-registry.json");
  const { globalOptions, commands } = JSON.parse(readFileSync(registry, "utf8")) as {
    globalOptions: Options;
    commands: Record<string, { options?: Options }>;
  };

  it("has commands of these names, with these options", () => {
    expect(of("npx cdk").length).toBeGreaterThan(10);
    const found = problems(of("npx cdk"), ({ words: [command = ""], options }) => {
      const own = commands[command];
      if (!own) return "no such command";
      const known = Object.entries({ ...globalOptions, ...own.options });
      return missing(options, (option) =>
        known.some(([name, { alias }]) => option === `--${name}` || option === `-${alias}`),
      );
    });
    expect(found).toEqual([]);
  });

  it("gets settings that exist", () => {
    const given = of("npx cdk").flatMap(({ written }) =>
      [...written.matchAll(/ -c (\w+)=/g)].map(([, name = ""]) => name),
    );
    expect(given).toContain("egressAllowCidrs");
    expect(given.filter((name) => name !== "name" && !(name in defaults))).toEqual([]);
  });

  it("deploys only what the guard has checked", () => {
    const direct = of("npx cdk").filter(
      ({ words: [command], options }) => command === "deploy" && !options.includes("--app"),
    );
    expect(direct.map(({ document, written }) => `${document}: ${written}`)).toEqual([]);
  });
});

describe("aws", () => {
  it("has commands of these names, with these options", () => {
    expect(of("aws").length).toBeGreaterThan(25);
    const found = problems(of("aws"), ({ words, options }) => {
      const own = awsCommands[words.slice(0, 2).join(" ")];
      return own
        ? missing(options, (option) => [...own, ...awsGlobalOptions].includes(option))
        : "not in test/support/aws-cli.ts";
    });
    expect(found).toEqual([]);
  });

  it("looks for resources in the stack: a list of the account has those of other stacks, some with names like its own", () => {
    const lists = of("aws").flatMap(({ words: [, command = ""] }) => (command.startsWith("list-") ? [command] : []));
    expect(new Set(lists)).toEqual(new Set(["list-service-quotas", "list-stack-resources"]));
  });

  it("has no command in the list that no document shows", () => {
    const used = new Set(of("aws").map(({ words }) => words.slice(0, 2).join(" ")));
    expect(Object.keys(awsCommands).filter((command) => !used.has(command))).toEqual([]);
  });
});
