import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { Secret } from "../../../lib/secret.ts";
import { nextAttemptAt, signatureHeaders } from "../../../lib/webhooks/attempt-delivery.ts";
import { newSecret } from "../../../lib/webhooks/endpoint-secrets.ts";

const known = {
  secret: "whsec_plJ3nmyCDGBKInavdOK15jsl",
  id: "msg_loFOjxBNrRLzqYUf",
  at: new Date(1_731_705_121_000),
  body: '{"event_type":"ping","data":{"success":true}}',
  signature: "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=",
};

/** The signature by the text of Standard Webhooks, computed without its library. */
function expectedSignature(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}

describe("signatureHeaders", () => {
  it("returns the known signature of a known message", () => {
    expect(signatureHeaders([new Secret(known.secret)], known)).toEqual({
      "webhook-id": known.id,
      "webhook-timestamp": "1731705121",
      "webhook-signature": known.signature,
    });
    expect(expectedSignature(known.secret, known.id, "1731705121", known.body)).toBe(known.signature);
  });

  it.each(["", "{}", '{"é":"🦜"}', "x".repeat(100_000)])(
    "returns a signature that equals the library's and verifies only with its secret and body",
    (body) => {
      const secret = newSecret();
      const headers = signatureHeaders([new Secret(secret)], { id: "msg_1", at: new Date(), body });
      expect(() => new Webhook(secret).verify(body, headers, { jsonParse: false })).not.toThrow();
      const timestamp = headers["webhook-timestamp"] ?? "";
      expect(headers["webhook-signature"]).toBe(expectedSignature(secret, "msg_1", timestamp, body));
      for (const [key, text] of [
        [secret, `${body} `],
        [newSecret(), body],
      ] as const) {
        expect(() => new Webhook(key).verify(text, headers, { jsonParse: false })).toThrow("signature");
      }
    },
  );

  it("signs with each secret, so each one verifies during a rotation", () => {
    const secrets = [newSecret(), newSecret()];
    const headers = signatureHeaders(
      secrets.map((secret) => new Secret(secret)),
      { id: "msg_1", at: new Date(), body: "{}" },
    );
    for (const secret of secrets) expect(new Webhook(secret).verify("{}", headers)).toEqual({});
    expect(() => new Webhook(newSecret()).verify("{}", headers)).toThrow();
  });
});

describe("newSecret", () => {
  it("returns whsec_ and 24 new random bytes", () => {
    const secrets = Array.from({ length: 100 }, newSecret);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
      expect(Buffer.from(secret.slice("whsec_".length), "base64")).toHaveLength(24);
    }
    expect(new Set(secrets).size).toBe(100);
  });
});

const now = Date.parse("2026-01-31T12:00:00Z");
const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const steps = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
const delayOf = (tries: number, retryAfter?: string, random = 0.5) =>
  (nextAttemptAt(tries, now, retryAfter, random) ?? Number.NaN) - now;

it("nextAttemptAt allows eight attempts", () => {
  expect(steps.map((_, index) => delayOf(index + 1))).toEqual(steps);
  expect(nextAttemptAt(8, now)).toBeUndefined();
  expect(nextAttemptAt(8, now, "5")).toBeUndefined();
});

it("nextAttemptAt varies each step by up to 10 %", () => {
  for (const [index, step] of steps.entries()) {
    expect(delayOf(index + 1, undefined, 0)).toBe(Math.round(step * 0.9));
    expect(delayOf(index + 1, undefined, 1)).toBe(Math.round(step * 1.1));
    for (let count = 0; count < 100; count++) {
      const drawn = (nextAttemptAt(index + 1, now) ?? 0) - now;
      expect(Math.abs(drawn - step)).toBeLessThanOrEqual(step * 0.1 + 1);
    }
  }
});

describe("Retry-After", () => {
  it.each([
    ["60", minute],
    [" 60 ", minute],
    [new Date(now + hour).toUTCString(), hour],
    ["43200", 12 * hour],
    ["99999999", 12 * hour],
    ["9".repeat(400), 12 * hour],
  ])("lengthens a step up to 12 hours: %s", (header, expected) => {
    expect(delayOf(1, header)).toBe(expected);
  });

  it.each(["0", "1", "-60", "1.5", "soon", "", "0x10", new Date(now - hour).toUTCString()])(
    "does not shorten a step: %s",
    (header) => {
      expect(delayOf(1, header)).toBe(5 * second);
      expect(delayOf(7, "60")).toBe(10 * hour);
    },
  );
});
