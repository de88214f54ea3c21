import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../../lib/errors.ts";
import { openCursor, sealCursor } from "../../../lib/http/paging.ts";
import { Secret } from "../../../lib/secret.ts";
import type { Workspace } from "../../../lib/store/workspace.ts";
import fc from "../../support/property.ts";

const tenant = (apiKey: string): Workspace => ({
  apiKey,
  name: "",
  createdAt: "",
  cursorSecret: new Secret(randomBytes(32).toString("base64url")),
});
const alice = tenant("alice");
const position = { shard: 3, after: "a secret sort key" };

function expectRefused(open: () => unknown): void {
  expect(open).toThrow(ApiError);
  expect(open).toThrow(
    expect.objectContaining({ status: "INVALID_ARGUMENT", message: expect.not.stringMatching(/key|tag/) }),
  );
}

describe("a page token", () => {
  it("opens for the same query, whatever its ids", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.string({ unit: "grapheme" }), (query, after) => {
        const token = sealCursor(alice, query, { shard: 1, after });
        expect(openCursor(alice, query, token)).toEqual({ shard: 1, after });
      }),
    );
  });

  it("hides the position, and fits a request's field", () => {
    const token = sealCursor(alice, ["q"], position);
    expect(Buffer.from(token, "base64url").toString("latin1")).not.toContain("sort key");
    expect(sealCursor(alice, ["q"], position)).not.toBe(token);
    expect(sealCursor(alice, ["q"], { shard: 15, after: "x".repeat(320) }).length).toBeLessThan(8_192);
  });

  it("is optional: without one, or with an empty one, openCursor returns undefined", () => {
    for (const none of [undefined, ""]) expect(openCursor(alice, ["q"], none)).toBeUndefined();
  });

  it("is refused for another query, even one with the same characters", () => {
    const token = sealCursor(alice, ["documents", "o", "f"], position);
    const others = [["documents", "o"], ["documents", "of"], ["documents", "o", "f", ""], ["folders", "o", "f"], []];
    for (const query of others) expectRefused(() => openCursor(alice, query, token));
  });

  it("is refused for another workspace, and for one with the same API key and another secret", () => {
    const token = sealCursor(alice, ["q"], position);
    for (const other of [tenant("bob"), tenant("alice"), { ...alice, apiKey: "bob" }]) {
      expectRefused(() => openCursor(other, ["q"], token));
    }
  });

  it("is refused when it is cut or any byte is changed", () => {
    const bytes = Buffer.from(sealCursor(alice, ["q"], position), "base64url");
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] as number) ^ 1;
      for (const raw of [changed, bytes.subarray(0, index), bytes.subarray(index + 1)]) {
        if (raw.length > 0) expectRefused(() => openCursor(alice, ["q"], raw.toString("base64url")));
      }
    }
  });

  it("is refused when it is any other text", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (token) => expectRefused(() => openCursor(alice, ["q"], token))),
    );
  });
});
