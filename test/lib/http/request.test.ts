import { expect, it } from "vitest";
import { ApiError } from "../../../lib/errors.ts";
import { readBody } from "../../../lib/http/request.ts";
import fc from "../../support/property.ts";

const read = (body: string | Buffer, headers: Record<string, string> = {}) =>
  readBody({
    headers,
    body: typeof body === "string" ? body : body.toString("base64"),
    isBase64Encoded: typeof body !== "string",
  } as never);

it("readBody returns any object unchanged, from text and from base64", async () => {
  const wellFormed = fc.object({
    key: fc.string({ unit: "binary" }),
    values: [fc.string({ unit: "binary" }), fc.integer()],
  });
  await fc.assert(
    fc.asyncProperty(wellFormed, async (data) => {
      const text = JSON.stringify({ data });
      const expected = JSON.parse(text).data;
      expect(await read(text)).toEqual({ data: expected, beside: [] });
      expect(await read(Buffer.from(text))).toEqual({ data: expected, beside: [] });
    }),
    { numRuns: 200 },
  );
});

it("readBody refuses random bytes with INVALID_ARGUMENT, and never fails otherwise", async () => {
  const encodings = fc.constantFrom("", "gzip", "identity", "deflate");
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), encodings, async (bytes, encoding) => {
      const thrown = await read(Buffer.from(bytes), { "content-encoding": encoding }).catch((error) => error);
      expect(thrown).toBeInstanceOf(ApiError);
      expect(thrown.status).toBe("INVALID_ARGUMENT");
    }),
    { numRuns: 300 },
  );
});

it("readBody does not quote the body in its message", async () => {
  const thrown = await read('{"data":{"authToken":secret').catch((error) => error);
  expect(thrown.message).not.toContain("secret");
});

it("readBody accepts 64 levels of nesting, and refuses 65", async () => {
  const nested = (levels: number) => `{"data":{"a":${"[".repeat(levels)}${"]".repeat(levels)}}}`;
  expect(await read(nested(64))).toHaveProperty("data.a");
  await expect(read(nested(65))).rejects.toThrow("nested");
});
