import { createHash } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { notFound } from "../../../functions/fallback/not-found.ts";
import { usersGet } from "../../../functions/users/users-get.ts";
import { lambda, openLambda } from "../../../lib/http/lambda.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { contextOf, eventOf } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const sets = (...secrets: string[]) => vi.stubEnv("ORIGIN_SECRET_SHA256", secrets.map(sha256).join(","));

async function unknownPathWith(headers: Record<string, string>) {
  const event = { ...eventOf(notFound, {}), headers };
  const reply = await openLambda(notFound)(event as never, contextOf("not-found") as never);
  return { http: reply.statusCode, headers: reply.headers, ...JSON.parse(reply.body) };
}

afterEach(() => void vi.unstubAllEnvs());

describe("with a front", () => {
  it.each([
    ["without the secret", {}],
    ["with another secret", { "x-origin-secret": "other" }],
    ["with the hash in place of the secret", { "x-origin-secret": sha256("front") }],
  ])("a call %s is PERMISSION_DENIED, whatever its path", async (_, headers) => {
    sets("front");
    expect(await unknownPathWith(headers as Record<string, string>)).toMatchObject({
      http: 403,
      error: { status: "PERMISSION_DENIED", message: expect.stringContaining("public address") },
      headers: { "x-request-id": expect.any(String) },
    });
    expect(logs()).toMatchObject([{ message: "call", status: "PERMISSION_DENIED", http: 403 }]);
  });

  it("a refused call reads nothing, even with credentials", async () => {
    sets("front");
    const aws = mockAws();
    const event = eventOf(usersGet, { as: { apiKey: "key", authToken: "token" }, data: { organizationId: "o" } });
    const reply = await lambda(usersGet)(event as never, contextOf("users-get") as never);
    expect(JSON.parse(reply.body).error.message).toContain("public address");
    expect(aws.calls()).toEqual([]);
  });

  it("a call with the secret goes on, and so does one with the next secret while it is changed", async () => {
    sets("front", "next");
    for (const secret of ["front", "next"]) {
      expect(await unknownPathWith({ "x-origin-secret": secret })).toMatchObject({ http: 404 });
    }
  });
});

it("without a front, the header has no meaning", async () => {
  expect(await unknownPathWith({ "x-origin-secret": "any" })).toMatchObject({ http: 404 });
});
