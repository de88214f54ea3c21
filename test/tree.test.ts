import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import * as functions from "../functions/index.ts";
import { deployables, endpoints, routePath, sourceOf } from "../infra/deployables.ts";
import { entities } from "../lib/store/entities.ts";
import { importCircles } from "./support/import-circles.ts";
import { root, type Source, sources } from "./support/sources.ts";

const kernel = sources("functions", "lib");
const all = [...kernel, ...sources("infra")];
const tests = sources("test");
const functionFiles = sources("functions").filter(({ file }) => file !== "functions/index.ts");

const camel = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** Files with an import that matches the pattern. */
const importersOf = (pattern: RegExp, among: Source[]) =>
  among.filter(({ imports }) => imports.some((name) => pattern.test(name))).map(({ file }) => file);

/** The imports that break a rule, as text. */
const importsWhere = (among: Source[], isWrong: (name: string, file: string) => boolean) =>
  among.flatMap(({ file, imports }) =>
    imports.filter((name) => isWrong(name, file)).map((name) => `${file} imports ${name}`),
  );

/** Files whose text matches the pattern. */
const filesWith = (pattern: RegExp, among: Source[]) =>
  among.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

const inFolder = (folder: string) => (file: string) => file.startsWith(`${folder}/`);

/** Fails if there are offenders. The message lists them and says how to correct them. */
function expectNone(offenders: readonly string[], remedy: string): void {
  if (offenders.length > 0) expect.fail(`${offenders.join("\n")}\n${remedy}`);
}

describe("the list of functions", () => {
  it("has exactly the files under functions", () => {
    const files = functionFiles.map(({ file }) => file);
    const listed = deployables.map(sourceOf);
    // A listed file whose declaration has another name fails below, with a message of its own.
    const exported = readFileSync(`${root}/functions/index.ts`, "utf8");
    const unlisted = files.filter((file) => !listed.includes(file) && !exported.includes(`./${file.slice(10)}"`));
    const lines = unlisted.map((file) => `export { ${camel(basename(file, ".ts"))} } from "./${file.slice(10)}";`);
    expect(lines, "add these lines to functions/index.ts").toEqual([]);
    const elsewhere = listed.filter((file) => !files.includes(file));
    expect(elsewhere, "these files do not exist: a function's file is functions/<group>/<name>.ts").toEqual([]);
  });

  it("exports each function under the name of its file in camel case", () => {
    const names = deployables.map(({ name }) => camel(name));
    expect(Object.keys(functions).sort(), "the export, the declared `name` and the file have the same name").toEqual(
      names.sort(),
    );
  });

  it.each(functionFiles)("$file exports its declaration and a handler, and nothing else", async ({ file }) => {
    const module = await import(/* @vite-ignore */ `${root}/${file}`);
    const [declared, ...more] = Object.entries(module).filter(([name]) => name !== "handler");
    expect(more, "move these to lib/, or do not export them").toEqual([]);
    const name = (declared?.[1] as { name: string } | undefined)?.name;
    expect(name, "the declared `name` and the name of the file must be equal").toBe(basename(file, ".ts"));
    expect(module.handler).toBeTypeOf("function");
  });

  it("has only functions that a file in test/functions imports", () => {
    const imported = new Set(sources("test/functions").flatMap(({ imports }) => imports));
    const untested = functionFiles.map(({ file }) => file).filter((file) => !imported.has(file));
    // test/contract/replies.test.ts tests the endpoint for unknown paths.
    expect(untested, "add a test at the same path under test/").toEqual(["functions/fallback/not-found.ts"]);
  });

  it("has local servers that refuse browsers, except the gateway with its own guard", () => {
    const open = filesWith(
      /\b(?:createServer|httpServer)\(/,
      all.filter(({ file }) => inFolder("infra/local")(file)),
    );
    // engine-port.ts looks for a free port.
    const known = ["infra/local/engine-port.ts", "infra/local/gateway.ts", "infra/local/listen.ts"];
    expect(open.sort(), "use privateHttpServer of infra/local/listen.ts").toEqual(known);
  });

  it("gives no pattern of a request flags, which OpenAPI cannot express", () => {
    const flagged = kernel.filter(({ text }) => /z\.regex\(\/.+\/[a-z]+[,)]/.test(text));
    expectNone(
      flagged.map(({ file }) => file),
      "Write the pattern without flags.",
    );
  });

  it("has no path, in whichever version, and no name twice", () => {
    expect(new Set(endpoints.map(({ path }) => routePath(path))).size).toBe(endpoints.length);
    expect(new Set(deployables.map(({ name }) => name)).size).toBe(deployables.length);
  });

  it("has only timeouts that end before API Gateway's timeout", () => {
    expect(endpoints.filter(({ timeoutSeconds }) => timeoutSeconds > 28)).toEqual([]);
  });
});

/** The rooms of lib in order. A room imports only the root of lib and rooms before it. */
const rooms = [
  ...["dynamodb", "net", "schema", "store", "live", "jobs", "http", "ai"],
  ...["deletion", "access", "browser", "content", "crdt", "webhooks", "activity", "features"],
  ...["notifications", "messages", "notify", "memory", "ingest", "workspace", "erasure"],
];

describe("imports", () => {
  it("of lib exclude functions, infra and test, and those of functions exclude infra and test", () => {
    expect(importersOf(/^(?:functions|infra|test)\//, sources("lib"))).toEqual([]);
    expect(importersOf(/^(?:infra|test)\//, sources("functions"))).toEqual([]);
  });

  it("of functions exclude other functions, and only infra imports their list", () => {
    expect(importersOf(/^functions\//, functionFiles)).toEqual([]);
    expect(importersOf(/^functions\/index\.ts$/, kernel)).toEqual([]);
    expect(importersOf(/^functions\/(?!index\.ts$)/, sources("infra"))).toEqual([]);
  });

  it("of infra exclude test", () => {
    const wrong = importsWhere(sources("infra"), inFolder("test"));
    expectNone(wrong, "Move what both need into infra: the deployment and the local server work without test/.");
  });

  it("have no cycles, type imports included", () => {
    const circles = importCircles(all).map((files) => files.join(" imports "));
    expectNone(circles, "Move what both files need into a file of its own that imports neither.");
  });

  it("of a room of lib are of its own files, of the root of lib, and of the rooms before it", () => {
    const roomOf = (file: string) => /^lib\/([\w-]+)\//.exec(file)?.[1];
    const kept = sources("lib").flatMap(({ file }) => roomOf(file) ?? []);
    expect(new Set(kept), "rooms of lib, from the ground up: every room is in this list").toEqual(new Set(rooms));
    const floorOf = (file: string) => rooms.indexOf(roomOf(file) ?? "");
    const wrong = importsWhere(sources("lib"), (name, file) => inFolder("lib")(name) && floorOf(name) > floorOf(file));
    expectNone(wrong, "Move what both need into the lower room, take it as a parameter, or move the file up.");
  });

  it("of rooms follow the table of CONTRIBUTING.md, which has the rooms in the same order", () => {
    const guide = readFileSync(`${root}/.github/CONTRIBUTING.md`, "utf8");
    expect([...guide.matchAll(/^\| `lib\/([\w-]+)\/`/gm)].map(([, room]) => room)).toEqual(rooms);
  });

  it("of lib/store exclude lib/http and ApiError", () => {
    const wrong = importsWhere(sources("lib/store"), inFolder("lib/http"));
    const values = /\bApiError\b|^import (?!type\b)[^;]*"\.\.\/errors\.ts"/m;
    const throwing = filesWith(values, sources("lib/store")).map((file) => `${file} imports an error`);
    expectNone(
      [...wrong, ...throwing],
      "Return a value (undefined, false) and let the caller in lib or functions throw.",
    );
  });

  it("of tests take fixtures from test/support, or from their own folder in model, faults, fuzz, bench, mutate and rehearse", () => {
    const own = ["test/model", "test/faults", "test/fuzz", "test/bench", "test/mutate", "test/rehearse"];
    // What the benchmark has measured is data, and the price page shows it.
    const isAllowed = (name: string, file: string) =>
      inFolder("test/support")(name) ||
      name === "test/bench/result.json" ||
      own.some((folder) => inFolder(folder)(name) && inFolder(folder)(file));
    const wrong = importsWhere(tests, (name, file) => inFolder("test")(name) && !isAllowed(name, file));
    expectNone(wrong, "Move the fixture into test/support.");
  });

  it("of backoff are in lib/dynamodb only, where retryOnConflict is", () => {
    const waiting = filesWith(/\bbackoff\b/, kernel).filter((file) => !inFolder("lib/dynamodb")(file));
    expectNone(
      waiting.filter((file) => file !== "lib/concurrency.ts"),
      "Repeat a read-modify-write with retryOnConflict.",
    );
  });

  it("of the DynamoDB SDK are in lib/dynamodb only", () => {
    const wrong = importsWhere(
      kernel,
      (name, file) => /^@aws-sdk\/(?:client|lib|util)-dynamodb/.test(name) && !inFolder("lib/dynamodb")(file),
    );
    expectNone(
      wrong,
      "Read through lib/dynamodb/table.ts. Write through lib/dynamodb/write-each.ts or lib/jobs/commit.ts.",
    );
  });

  it("of the SDKs of KMS, SQS, S3 and SES are each in one file", () => {
    const files = (pattern: RegExp) => importersOf(pattern, kernel);
    expect(files(/^@aws-sdk\/client-kms/)).toEqual(["lib/secrets.ts"]);
    expect(files(/^@aws-sdk\/client-sqs/)).toEqual(["lib/jobs/queue.ts"]);
    expect(files(/^@aws-sdk\/(?:client-s3|s3-request-presigner)/)).toEqual(["lib/store/blob.ts"]);
    expect(files(/^@aws-sdk\/client-sesv2/)).toEqual(["lib/messages/email/ses.ts"]);
    expect(
      files(
        /^@(?:aws-sdk|smithy)\/(?!(?:client|lib|util)-dynamodb|client-kms|client-s3|s3-request|client-sqs|client-sesv2)/,
      ),
    ).toEqual([]);
  });

  it("of AWS's clients come with their timeouts", () => {
    const created = sources("lib").flatMap(({ file, text }) =>
      [...text.matchAll(/new (?:DynamoDB|KMS|SQS|S3|SESv2)Client\(([^)]*)/g)].map(([, options]) => ({ file, options })),
    );
    expect(created).toHaveLength(5);
    const without = created.filter(({ options }) => !/^(?:\{\s*\.\.\.)?clientOptions\b/.test(String(options)));
    expectNone(
      without.map(({ file }) => file),
      "Create the client with clientOptions of lib/aws.ts.",
    );
  });

  it("of zod are `import * as z` from zod/mini", () => {
    expect(importersOf(/^zod(?!\/mini$)/, all)).toEqual([]);
    const named = all.filter(({ text }) => /import(?: type)? \{[^}]*\} from "zod\/mini"/.test(text));
    expect(named.map(({ file }) => file)).toEqual([]);
  });

  it("of fast-check are in test/support/property.ts only, which limits the time of a property", () => {
    expect(importersOf(/^fast-check$/, sources("test"))).toEqual(["test/support/property.ts"]);
  });

  it("of lib and functions have no side effect: no access to the environment, no connection, no timer", () => {
    const input = JSON.stringify(kernel.map(({ file }) => `${root}/${file}`));
    const script = `${root}/test/support/import-quietly.ts`;
    const output = execFileSync(process.execPath, [script], { cwd: root, input, encoding: "utf8" });
    expect(JSON.parse(output)).toEqual([]);
  });
});

it("lib/store/entities.ts lists every entity, so that purges and erasures know its items", () => {
  const declared = sources("lib").flatMap(({ file, text }) => {
    const names = [...text.matchAll(/ = entity<[\s\S]*?>\(\)\(\{\s*name: "([^"]+)"/g)].map(([, name = ""]) => name);
    const declarations = text.match(/ = entity</g) ?? [];
    expect(names, `each declaration of ${file} begins with its name`).toHaveLength(declarations.length);
    return names;
  });
  const listed = entities.map(({ name }) => name);
  const remedy = "Add the entity to lib/store/entities.ts, with its descendants, then run `npm run update`.";
  expectNone(
    declared.filter((name) => !listed.includes(name)),
    remedy,
  );
  expectNone(
    listed.filter((name) => !declared.includes(name)),
    "No file of lib declares it: remove it from the list.",
  );
});

describe("keys", () => {
  it("are built only in lib/store and lib/dynamodb, and never split", () => {
    const isEntityFile = ({ file }: Source) => inFolder("lib/store")(file) || inFolder("lib/dynamodb")(file);
    const others = all.filter((source) => !isEntityFile(source));
    const splitting = filesWith(
      /\.split\("#"\)|\b[ps]k\??\.(?:replace|split|slice|match|indexOf)\b|\.exec\([^)]*\b[ps]k\)/,
      all,
    );
    const building = filesWith(
      /\{[^}]*\bsegment\b[^}]*\} from "[^"]*\/dynamodb\/key\.ts"|\b[ps]k: [`"']|[`"']W#|\}#[A-Z]+#/,
      others,
    );
    const remedy =
      "Store what you need as an attribute, or call the key, partition or range of the entity in lib/store.";
    expectNone([...splitting, ...building], remedy);
  });

  it("of a new item come from its entity, which names the item", () => {
    const bare = filesWith(/\{\s*put: /, kernel).filter((file) => !inFolder("lib/dynamodb")(file));
    expectNone(bare, "Write with the entity's put: it adds the attribute `entity`, without which no purge can delete.");
  });
});

it("the root of lib has only files that every folder of lib may import", () => {
  const ground = [
    "aws",
    "beginning",
    "call",
    "concurrency",
    "config",
    "errors",
    "grants",
    "json",
    "log",
    "lru",
    "metrics",
    "monotonic",
    "new-id",
    "patience",
    "purposes",
    "retention",
    "secret",
    "secrets",
    "throttles",
    "visible",
  ];
  const files = readdirSync(`${root}/lib`, { withFileTypes: true }).filter((entry) => entry.isFile());
  const wrong = files
    .map(({ name }) => name)
    .filter((name) => !/\.md$/.test(name) && !ground.includes(basename(name, ".ts")));
  expectNone(
    wrong.map((name) => `lib/${name}`),
    "Move the file into the folder of lib whose subject it is.",
  );
});

it("no file of functions, lib and infra is longer than 250 lines", () => {
  const long = all.filter(({ text }) => text.trimEnd().split("\n").length > 250);
  expect(long.map(({ file }) => file)).toEqual([]);
});

it("lib has fewer than 420 files: a file is a boundary, not a paragraph", () => {
  expect(sources("lib").length).toBeLessThan(420);
});

it("the lock file names no registry, so that an installation uses the one of its machine", () => {
  const { packages } = JSON.parse(readFileSync(`${root}/package-lock.json`, "utf8")) as { packages: object };
  const resolved = Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined);
  expect(resolved.map(([name]) => name)).toEqual([]);
});
