import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { Caller } from "../../lib/http/endpoint.ts";
import { commit } from "../../lib/jobs/commit.ts";
import { log } from "../../lib/log.ts";
import { Secret } from "../../lib/secret.ts";
import type { OrganizationRef, WorkspaceRef } from "../../lib/store/refs.ts";
import { type Workspace, workspaceEntity } from "../../lib/store/workspace.ts";
import { logText } from "../support/capture-logs.ts";

const text = "a-known-secret";
const secret = new Secret(text);
const record = { apiKey: "w", name: "", createdAt: "", cursorSecret: secret };

describe("a secret", () => {
  it("shows its text only when asked for it", () => {
    expect(secret.reveal()).toBe(text);
    expect(inspect({ deep: { secret } }, { showHidden: true, depth: 9 })).toBe("{ deep: { secret: [secret] } }");
    expect(Object.values({ ...secret })).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ["JSON", () => JSON.stringify(record)],
    ["a template", () => `${secret}`],
    ["a sum", () => `Bearer ${[secret]}`],
    ["String", () => String(secret)],
  ])("is refused by %s", (_, write) => {
    expect(write).toThrow("A secret is not written.");
  });

  it("is refused by a stored item", async () => {
    await expect(commit([workspaceEntity.put({ workspace: "w" }, record as never)])).rejects.toThrow();
  });
});

const caller = { workspace: "w", ref: { workspace: "w" }, record } as unknown as Caller;

describe("an object that has secrets", () => {
  it("is no ref, and no ref by being spread: an error of types", () => {
    // @ts-expect-error
    const ref: WorkspaceRef = caller;
    // @ts-expect-error
    const organization: OrganizationRef = { ...caller, organizationId: "o" };
    expect([ref, organization]).toHaveLength(2);
  });

  it.each<[string, () => void]>([
    // @ts-expect-error
    ["a caller", () => log("info", "message", { ...caller, channel: "email" })],
    // @ts-expect-error
    ["a record", () => log("info", "message", { ...(record as Workspace), channel: "email" })],
    // @ts-expect-error
    ["a secret", () => log("info", "message", { error: secret, channel: "email" })],
  ])("is not logged with a line: %s", (_, write) => {
    try {
      write();
    } catch (thrown) {
      expect(thrown).toEqual(new TypeError("A secret is not written."));
    }
    expect(logText()).not.toContain(text);
    expect(logText()).not.toContain("cursorSecret");
  });
});
