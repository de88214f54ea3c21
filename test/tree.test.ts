import { execFileSync } from "node:child_process";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import * as functions from "../functions/index.ts";
import { deployables, endpoints, sourceOf } from "../infra/deployables.ts";
import { root, type Source, sources } from "./support/sources.ts";

const kernel = sources("functions", "lib");
const all = [...kernel, ...sources("infra")];
const functionFiles = sources("functions").filter(({ file }) => file !== "functions/index.ts");

/** Files that import what the pattern matches. */
const importersOf = (pattern: RegExp, among: Source[]) =>
  among.filter(({ imports }) => imports.some((name) => pattern.test(name))).map(({ file }) => file);

describe("the list of functions", () => {
  it("is the directory", () => {
    expect(deployables.map(sourceOf).sort()).toEqual(functionFiles.map(({ file }) => file));
  });

  it("names each function as its file, in camel case", () => {
    const camel = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    expect(Object.keys(functions).sort()).toEqual(deployables.map(({ name }) => camel(name)).sort());
  });

  it.each(functionFiles)("$file exports its declaration and a handler, and nothing else", async ({ file }) => {
    const module = await import(/* @vite-ignore */ `${root}/${file}`);
    const [declared, ...more] = Object.entries(module).filter(([name]) => name !== "handler");
    expect(more).toEqual([]);
    expect(declared?.[1]).toMatchObject({ name: basename(file, ".ts") });
    expect(module.handler).toBeTypeOf("function");
  });

  it("has each path and each name once", () => {
    expect(new Set(endpoints.map(({ path }) => path)).size).toBe(endpoints.length);
    expect(new Set(deployables.map(({ name }) => name)).size).toBe(deployables.length);
  });

  it("has the contract's endpoints under the contract's paths", () => {
    const paths = endpoints.filter(({ companion }) => !companion).map(({ contract, path }) => `${contract} ${path}`);
    expect(paths).toEqual(
      expect.arrayContaining([
        "1 /v2/auth/permissions/get",
        "2 /v2/auth/generate_token",
        "3 /v2/workspace/advancedwebhook/endpoints/update",
        "4 /v2/workspace/advancedwebhook/endpoints/delete",
        "5 /v1/organizations/documents/locations/update",
        "6 /v1/organizations/documents/locations/data/delete",
        "7 /v2/workspace/emailconfig/update",
        "8 /v2/workspace/emailconfig/get",
        "9 /v2/crdt/add",
        "10 /v2/rewriter/ask-ai",
        "11 /v1/organizations/usergroups/users/add",
        "12 /v2/presence/delete",
        "13 /v2/workspace/activityconfig/get",
        "14 /v2/workspace/permissionproviderconfig/get",
        "15 /v2/agents/extract",
        "16 /v2/users/update",
        "17 /v2/users/data/get",
        "18 /v2/organizations/folders/add",
        "19 /v2/workspace/domains/add",
        "20 /v1/organizations/documents/add",
        "21 /v1/organizations/documents/delete",
        "22 /v2/memory/ask",
        "23 /v2/notifications/config/get",
        "24 /v1/notifications/config/set",
        "25 /v2/notifications/add",
        "26 /v2/organizations/documents/migrate/status",
      ]),
    );
  });

  it("ends every call before API Gateway does", () => {
    expect(endpoints.filter(({ timeoutSeconds }) => timeoutSeconds > 28)).toEqual([]);
  });
});

describe("imports", () => {
  it("lib knows neither functions nor infra, functions not infra", () => {
    expect(importersOf(/^(?:functions|infra|test)\//, sources("lib"))).toEqual([]);
    expect(importersOf(/^(?:infra|test)\//, sources("functions"))).toEqual([]);
  });

  it("functions never import one another; nobody but infra imports the list", () => {
    expect(importersOf(/^functions\//, functionFiles)).toEqual([]);
    expect(importersOf(/^functions\/index\.ts$/, kernel)).toEqual([]);
    expect(importersOf(/^functions\/(?!index\.ts$)/, sources("infra"))).toEqual([]);
  });

  it("only lib/dynamodb and lib/jobs speak to DynamoDB, lib/secrets.ts to KMS, lib/jobs/queue.ts to SQS, lib/store/blob.ts to S3", () => {
    const files = (pattern: RegExp) => importersOf(pattern, kernel);
    expect(
      files(/^@aws-sdk\/(?:client|lib|util)-dynamodb/).filter((file) => !/^lib\/(?:dynamodb|jobs)\//.test(file)),
    ).toEqual([]);
    expect(files(/^@aws-sdk\/client-kms/)).toEqual(["lib/secrets.ts"]);
    expect(files(/^@aws-sdk\/client-sqs/)).toEqual(["lib/jobs/queue.ts"]);
    expect(files(/^@aws-sdk\/client-s3/)).toEqual(["lib/store/blob.ts"]);
    expect(files(/^@(?:aws-sdk|smithy)\/(?!(?:client|lib|util)-dynamodb|client-kms|client-s3|client-sqs)/)).toEqual([]);
  });

  it("zod comes in its small form", () => {
    expect(importersOf(/^zod(?!\/mini$)/, all)).toEqual([]);
    const named = all.filter(({ text }) => /import(?: type)? \{[^}]*\} from "zod\/mini"/.test(text));
    expect(named.map(({ file }) => file)).toEqual([]);
  });

  it("does nothing: no file of lib or functions reads the environment, connects, or leaves something running", () => {
    const input = JSON.stringify(kernel.map(({ file }) => `${root}/${file}`));
    const script = `${root}/test/support/import-quietly.ts`;
    const output = execFileSync(process.execPath, [script], { cwd: root, input, encoding: "utf8" });
    expect(JSON.parse(output)).toEqual([]);
  });
});

it("no file is longer than 250 lines", () => {
  const long = all.filter(({ text }) => text.trimEnd().split("\n").length > 250);
  expect(long.map(({ file }) => file)).toEqual([]);
});
