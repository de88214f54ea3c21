// The types that openapi-typescript makes of the OpenAPI document, used as a client would use them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTypescript, { astToString } from "openapi-typescript";
import { expect, it } from "vitest";
import { apiDocument } from "../../infra/api-document.ts";

const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));
const types = astToString(await openapiTypescript(JSON.stringify(apiDocument())));

const program = `import createClient from "openapi-fetch";
import type { components, paths, webhooks } from "./types";
type Schemas = components["schemas"];
type Event = webhooks[keyof webhooks]["post"]["requestBody"]["content"]["application/json"];
const { POST } = createClient<paths>();

export async function failedCodes(): Promise<string[]> {
  const users = [{ userId: "alice", accessRole: "viewer" as const }];
  const { data, error } = await POST("/v2/users/add", { body: { data: { organizationId: "acme", users } } });
  if (!data) {
    const status: Schemas["ErrorStatus"] | undefined = "error" in error ? error.error.status : undefined;
    return status === "INVALID_ARGUMENT" ? ["invalid"] : [];
  }
  return Object.values(data.result.data).map((item) => {
    if (item.success) return item.message;
    const code: Schemas["ItemCode"] = item.code;
    return code;
  });
}

export async function freeForm(): Promise<unknown> {
  const of = { organizationId: "acme", documentId: "plan" };
  const metadata = { color: "teal", cursor: { line: 1 } };
  await POST("/v2/presence/add", { body: { data: { ...of, users: [{ userId: "alice", metadata }] } } });
  await POST("/v2/crdt/add", { body: { data: { ...of, editorId: "body", type: "map", data: { a: [1] } } } });
  const { data } = await POST("/v2/presence/get", { body: { data: of } });
  return data?.result.data.users[0]?.metadata?.color;
}

export const filterTypes: Schemas["EventTypeName"][] = ["comment.add", "type.of.a.later.version"];

export function commentOf(event: Event): string | undefined {
  return event.event === "comment.add" ? event.data.commentId : undefined;
}
`;

it("a client compiles without a cast: results of items, failures, free-form data and events have precise types", () => {
  const folder = mkdtempSync(join(tmpdir(), "openapi-types-"));
  try {
    symlinkSync(packages, join(folder, "node_modules"));
    writeFileSync(join(folder, "types.ts"), types);
    writeFileSync(join(folder, "client.ts"), program);
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--moduleResolution", "bundler"];
    const compiler = join(packages, "typescript/bin/tsc");
    const args = [compiler, ...options, "--module", "esnext", join(folder, "client.ts")];
    expect(() => execFileSync(process.execPath, args, { encoding: "utf8" })).not.toThrow();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("only the values of open objects and lists are of any type", () => {
  const code = types.replaceAll(/\/\*.*?\*\//gs, "");
  const open = /\[(?:name|key): string\]: unknown;|unknown\[\]/g;
  expect(code.replaceAll(open, "")).not.toMatch(/\bunknown\b/);
});
