import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import * as functions from "../functions/index.ts";
import { deployables, endpoints, sourceOf } from "../infra/deployables.ts";
import { importCircles } from "./support/import-circles.ts";
import { longest } from "./support/longest-first.ts";
import { root, type Source, sources } from "./support/sources.ts";

const kernel = sources("functions", "lib");
const all = [...kernel, ...sources("infra")];
const tests = sources("test");
const functionFiles = sources("functions").filter(({ file }) => file !== "functions/index.ts");

const camel = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** Files that import what the pattern matches. */
const importersOf = (pattern: RegExp, among: Source[]) =>
  among.filter(({ imports }) => imports.some((name) => pattern.test(name))).map(({ file }) => file);

/** Imports for which the rule is broken, as text. */
const importsWhere = (among: Source[], isWrong: (name: string, file: string) => boolean) =>
  among.flatMap(({ file, imports }) =>
    imports.filter((name) => isWrong(name, file)).map((name) => `${file} imports ${name}`),
  );

/** Files whose text matches. */
const filesWith = (pattern: RegExp, among: Source[]) =>
  among.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

const inFolder = (folder: string) => (file: string) => file.startsWith(`${folder}/`);
const isGround = (file: string) => /^lib\/[\w-]+\.ts$/.test(file);

/** Fails with the offenders and with what to do about them. */
function expectNone(offenders: readonly string[], remedy: string): void {
  if (offenders.length > 0) expect.fail(`${offenders.join("\n")}\n${remedy}`);
}

describe("the list of functions", () => {
  it("is the directory", () => {
    const files = functionFiles.map(({ file }) => file);
    const listed = deployables.map(sourceOf);
    const unlisted = files.filter((file) => !listed.includes(file));
    const lines = unlisted.map((file) => `export { ${camel(basename(file, ".ts"))} } from "./${file.slice(10)}";`);
    expect(lines, "add these lines to functions/index.ts").toEqual([]);
    const elsewhere = listed.filter((file) => !files.includes(file));
    expect(elsewhere, "a file has its function's `name`, in the folder of its `group`: these do not exist").toEqual([]);
  });

  it("names each function as its file, in camel case", () => {
    const names = deployables.map(({ name }) => camel(name));
    expect(Object.keys(functions).sort(), "rename the exports").toEqual(names.sort());
  });

  it.each(functionFiles)("$file exports its declaration and a handler, and nothing else", async ({ file }) => {
    const module = await import(/* @vite-ignore */ `${root}/${file}`);
    const [declared, ...more] = Object.entries(module).filter(([name]) => name !== "handler");
    expect(more, "move these to lib/, or do not export them").toEqual([]);
    expect(declared?.[1]).toMatchObject({ name: basename(file, ".ts") });
    expect(module.handler).toBeTypeOf("function");
  });

  it("is tested: a file in test/functions imports each of them", () => {
    const imported = new Set(sources("test/functions").flatMap(({ imports }) => imports));
    const untested = functionFiles.map(({ file }) => file).filter((file) => !imported.has(file));
    // What takes unknown paths is tested in test/contract/replies.test.ts.
    expect(untested, "add a test at the same path under test/").toEqual(["functions/fallback/not-found.ts"]);
  });

  it("has each path and each name once", () => {
    expect(new Set(endpoints.map(({ path }) => path)).size).toBe(endpoints.length);
    expect(new Set(deployables.map(({ name }) => name)).size).toBe(deployables.length);
  });

  it("ends every call before API Gateway does", () => {
    expect(endpoints.filter(({ timeoutSeconds }) => timeoutSeconds > 28)).toEqual([]);
  });
});

describe("imports", () => {
  it("lib imports neither functions nor infra, and functions do not import infra", () => {
    expect(importersOf(/^(?:functions|infra|test)\//, sources("lib"))).toEqual([]);
    expect(importersOf(/^(?:infra|test)\//, sources("functions"))).toEqual([]);
  });

  it("functions do not import one another, and only infra imports their list", () => {
    expect(importersOf(/^functions\//, functionFiles)).toEqual([]);
    expect(importersOf(/^functions\/index\.ts$/, kernel)).toEqual([]);
    expect(importersOf(/^functions\/(?!index\.ts$)/, sources("infra"))).toEqual([]);
  });

  it("infra does not import test", () => {
    const wrong = importsWhere(sources("infra"), inFolder("test"));
    expectNone(wrong, "Move what both need into infra: the deployment and the local server work without test/.");
  });

  it("have no circles, type imports included", () => {
    const circles = importCircles(all).map((files) => files.join(" imports "));
    expectNone(circles, "Move what both files need into a file of its own that imports neither.");
  });

  it("lib/dynamodb imports only itself and the files at the root of lib", () => {
    const wrong = importsWhere(
      sources("lib/dynamodb"),
      (name) => inFolder("lib")(name) && !inFolder("lib/dynamodb")(name) && !isGround(name),
    );
    expectNone(
      wrong,
      "lib/dynamodb knows the table, not what is stored: take the value as a parameter, or move the code.",
    );
  });

  it("lib/schema does not import lib/store", () => {
    const wrong = importsWhere(sources("lib/schema"), inFolder("lib/store"));
    expectNone(wrong, "Declare the type or constant in lib/schema, and let lib/store import it from there.");
  });

  it("lib/store knows neither HTTP nor its errors", () => {
    const wrong = importsWhere(sources("lib/store"), inFolder("lib/http"));
    const throwing = filesWith(/\bApiError\b/, sources("lib/store")).map((file) => `${file} names ApiError`);
    expectNone(
      [...wrong, ...throwing],
      "Return a value (undefined, false) and let the caller in lib or functions throw.",
    );
  });

  it("tests import fixtures only from test/support, and from their own folder in model, faults and bench", () => {
    const own = ["test/model", "test/faults", "test/bench"];
    const isAllowed = (name: string, file: string) =>
      inFolder("test/support")(name) || own.some((folder) => inFolder(folder)(name) && inFolder(folder)(file));
    const wrong = importsWhere(tests, (name, file) => inFolder("test")(name) && !isAllowed(name, file));
    expectNone(wrong, "Move the fixture into test/support.");
  });

  it("only lib/dynamodb imports the SDK of DynamoDB", () => {
    const wrong = importsWhere(
      kernel,
      (name, file) => /^@aws-sdk\/(?:client|lib|util)-dynamodb/.test(name) && !inFolder("lib/dynamodb")(file),
    );
    expectNone(wrong, "Read through lib/dynamodb/table.ts, and write through lib/jobs/commit.ts.");
  });

  it("only lib/secrets.ts imports the SDK of KMS, lib/jobs/queue.ts that of SQS and lib/store/blob.ts that of S3", () => {
    const files = (pattern: RegExp) => importersOf(pattern, kernel);
    expect(files(/^@aws-sdk\/client-kms/)).toEqual(["lib/secrets.ts"]);
    expect(files(/^@aws-sdk\/client-sqs/)).toEqual(["lib/jobs/queue.ts"]);
    expect(files(/^@aws-sdk\/client-s3/)).toEqual(["lib/store/blob.ts"]);
    expect(files(/^@(?:aws-sdk|smithy)\/(?!(?:client|lib|util)-dynamodb|client-kms|client-s3|client-sqs)/)).toEqual([]);
  });

  it("take zod in its small form", () => {
    expect(importersOf(/^zod(?!\/mini$)/, all)).toEqual([]);
    const named = all.filter(({ text }) => /import(?: type)? \{[^}]*\} from "zod\/mini"/.test(text));
    expect(named.map(({ file }) => file)).toEqual([]);
  });

  it("take fast-check from test/support/property.ts, which limits the time of a property", () => {
    expect(importersOf(/^fast-check$/, sources("test"))).toEqual(["test/support/property.ts"]);
  });

  it("have no effect: no file of lib or functions reads the environment, connects or leaves something running", () => {
    const input = JSON.stringify(kernel.map(({ file }) => `${root}/${file}`));
    const script = `${root}/test/support/import-quietly.ts`;
    const output = execFileSync(process.execPath, [script], { cwd: root, input, encoding: "utf8" });
    expect(JSON.parse(output)).toEqual([]);
  });
});

describe("keys", () => {
  it("are built only by the entity files, and never taken apart", () => {
    const isEntityFile = ({ file }: Source) => inFolder("lib/store")(file) || inFolder("lib/dynamodb")(file);
    const others = all.filter((source) => !isEntityFile(source));
    const splitting = filesWith(/\.split\("#"\)|\bpk\.(?:replace|split|slice|match)\b/, all);
    const building = filesWith(
      /\{[^}]*\bsegment\b[^}]*\} from "[^"]*\/dynamodb\/key\.ts"|`[^`\n]*#[^`\n]*\$\{segment\(/,
      others,
    );
    const remedy =
      "Store what you need as an attribute, or call the key, partition or range of the entity in lib/store.";
    expectNone([...splitting, ...building], remedy);
  });
});

it("lib has at its root only the files that every room may import", () => {
  const ground = ["call", "concurrency", "config", "errors", "grants", "log", "lru", "new-id", "retention", "secrets"];
  const files = readdirSync(`${root}/lib`, { withFileTypes: true }).filter((entry) => entry.isFile());
  const wrong = files
    .map(({ name }) => name)
    .filter((name) => !/\.md$/.test(name) && !ground.includes(basename(name, ".ts")));
  expectNone(
    wrong.map((name) => `lib/${name}`),
    "Move the file into the folder of lib whose subject it is.",
  );
});

it("every file and folder that the order of test files names is there", () => {
  const tests = sources("test").map(({ file }) => file);
  expect(longest.filter((beginning) => !tests.some((file) => file.startsWith(beginning)))).toEqual([]);
});

it("no file is longer than 250 lines", () => {
  const long = all.filter(({ text }) => text.trimEnd().split("\n").length > 250);
  expect(long.map(({ file }) => file)).toEqual([]);
});
