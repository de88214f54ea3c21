import fc from "fast-check";
import { expect, it } from "vitest";
import { ApiError } from "../../../lib/errors.ts";
import { readData } from "../../../lib/http/request.ts";

const read = (body: string | Buffer, headers: Record<string, string> = {}) =>
  readData({
    headers,
    body: typeof body === "string" ? body : body.toString("base64"),
    isBase64Encoded: typeof body !== "string",
  } as never);

it("gives back any object as it was sent, in either form", async () => {
  const wellFormed = fc.object({
    key: fc.string({ unit: "binary" }),
    values: [fc.string({ unit: "binary" }), fc.integer()],
  });
  await fc.assert(
    fc.asyncProperty(wellFormed, async (data) => {
      const text = JSON.stringify({ data });
      const expected = JSON.parse(text).data;
      expect(await read(text)).toEqual(expected);
      expect(await read(Buffer.from(text))).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

it("answers any bytes with data or with INVALID_ARGUMENT, never with a failure of its own", async () => {
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

it("shows nothing of a body in what it says of it", async () => {
  const thrown = await read('{"data":{"authToken":secret').catch((error) => error);
  expect(thrown.message).not.toContain("secret");
});

it("allows 64 levels inside data, and refuses the next", async () => {
  const nested = (levels: number) => `{"data":{"a":${"[".repeat(levels)}${"]".repeat(levels)}}}`;
  expect(await read(nested(64))).toHaveProperty("a");
  await expect(read(nested(65))).rejects.toThrow("nested");
});
