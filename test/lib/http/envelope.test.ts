import { describe, expect, it } from "vitest";
import { ApiError, type ErrorStatus, httpStatus, invalidArgument } from "../../../lib/errors.ts";
import { fail, succeed } from "../../../lib/http/envelope.ts";

const standard = { envelope: "standard", message: "Done." };
const large = "é".repeat(3 * 1_024 * 1_024);

describe("success", () => {
  it("wraps any data, null included", () => {
    expect(succeed(standard, null, "r").body).toBe('{"result":{"status":"success","message":"Done.","data":null}}');
  });

  it("is the data itself for a raw endpoint", () => {
    expect(succeed({ ...standard, envelope: "raw" }, { keys: [] }, "r").body).toBe('{"keys":[]}');
  });

  it("has no data for a bare endpoint", () => {
    const { body } = succeed({ ...standard, envelope: "bare" }, undefined, "r");
    expect(body).toBe('{"result":{"status":"success","message":"Done."}}');
  });

  it("keeps keys of any name as own properties", () => {
    const data = JSON.parse('{"__proto__":1,"constructor":2,"10":3}');
    expect(succeed(standard, data, "r").body).toContain('{"10":3,"__proto__":1,"constructor":2}');
  });

  it("is limited to 6 MB less 16 KB for headers, counted in bytes", () => {
    const text = "x".repeat(6 * 1_024 * 1_024 - 16_384 - 100);
    expect(succeed(standard, text, "r").statusCode).toBe(200);
    expect(() => succeed(standard, `${text}${"x".repeat(100)}`, "r")).toThrow("6 MB");
    expect(() => succeed(standard, large, "r")).toThrow("6 MB");
  });

  it.each([
    ["quote", '"', 4],
    ["backslash", "\\", 4],
    ["line break", "\n", 3],
    ["control character", "\u0001", 7],
    ["emoji", "😀", 4],
  ])("is measured as it is sent to Lambda: a %s of the data counts as %3$i bytes", (_, character, bytes) => {
    const count = Math.floor((6 * 1_024 * 1_024 - 16_384) / bytes);
    const { body } = succeed(standard, character.repeat(count - 50), "r");
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(6 * 1_024 * 1_024 - 16_384);
    expect(() => succeed(standard, character.repeat(count + 1), "r")).toThrow("6 MB");
  });
});

describe("failure", () => {
  it.each(Object.entries(httpStatus))("%s has HTTP status %i", (status, code) => {
    const reply = fail(new ApiError(status as ErrorStatus, "Why."), "r1");
    expect(reply).toMatchObject({ statusCode: code, headers: { "x-request-id": "r1" } });
    expect(JSON.parse(reply.body).error).toEqual({ status, message: expect.stringMatching(/^Why\./) });
  });

  it("has the HTTP status as `code` for an endpoint that declares it", () => {
    const { body, statusCode } = fail(new ApiError("NOT_FOUND", "Why."), "r1", true);
    expect(JSON.parse(body).error).toEqual({ code: 404, status: "NOT_FOUND", message: "Why." });
    expect(statusCode).toBe(404);
    const details = { large };
    expect(JSON.parse(fail(new ApiError("NOT_FOUND", "Why.", { details }), "r1", true).body).error.code).toBe(400);
  });

  it("INTERNAL has the request id, unless it is expected", () => {
    expect(fail(new ApiError("INTERNAL", "Why."), "r1").body).toContain("Why. Request id: r1.");
    for (const more of [{}, { details: { domainsAdded: [] } }]) {
      const expected = fail(new ApiError("INTERNAL", "Why.", { ...more, isExpected: true }), "r1");
      expect(JSON.parse(expected.body).error).toEqual({ status: "INTERNAL", message: "Why.", ...more });
    }
  });

  it("stays below 6 MB, however large its details are", () => {
    const issue = { code: "custom", path: [large], message: "Is none." };
    for (const failure of [invalidArgument([issue]), new ApiError("NOT_FOUND", "Why.", { details: { large } })]) {
      const { statusCode, body } = fail(failure, "r1");
      expect(statusCode).toBe(400);
      expect(JSON.parse(body).error).toEqual({
        status: "INVALID_ARGUMENT",
        message: expect.stringContaining("6 MB"),
      });
    }
  });
});
