import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { verifyAs, WebhookVerificationError } from "../../../../infra/client/source/verify.ts";

const secret = `whsec_${Buffer.from("a secret of 24 bytes 123").toString("base64")}`;
const body = JSON.stringify({ event: "comment.add", data: { text: "Grüße" } });
const at = (date: Date, signed = body) => ({
  "webhook-id": "m1",
  "webhook-timestamp": String(Math.floor(date.getTime() / 1_000)),
  "webhook-signature": new Webhook(secret).sign("m1", date, signed),
});

it.each([
  ["Fetch", new Headers(at(new Date()))],
  ["node:http", { ...at(new Date()), host: "example.com", via: ["a", "b"] }],
  ["a proxy", Object.fromEntries(Object.entries(at(new Date())).map(([name, value]) => [name.toUpperCase(), [value]]))],
])("verifies a message with the headers of %s", (_, headers) => {
  expect(verifyAs(secret, body, headers)).toEqual(JSON.parse(body));
  expect(verifyAs(secret, Buffer.from(body), headers)).toEqual(JSON.parse(body));
});

it.each([
  ["a changed body", `${body} `, at(new Date())],
  ["no headers", body, {}],
  ["headers without values", body, { "webhook-id": null, "webhook-timestamp": undefined, "webhook-signature": [] }],
  ["a signature without a value", body, { ...at(new Date()), "webhook-signature": "v1" }],
  ["an old time", body, at(new Date(Date.now() - 6 * 60_000))],
])("refuses %s", (_, text, headers) => {
  expect(() => verifyAs(secret, text, headers)).toThrow(WebhookVerificationError);
});

it.each(["", "{", "null", "7", "{}", "[]", '{"event":5}', '{"event":""}'])(
  "refuses the signed body %j, which is no event",
  (text) => {
    const verified = () => verifyAs(secret, text, at(new Date(), text));
    expect(verified).toThrow(WebhookVerificationError);
    expect(verified).toThrow("The body is signed, but it is no event.");
  },
);

it.each([{ event: "comment.add" }, null, undefined])("says that the body %j is not the received one", (parsed) => {
  expect(() => verifyAs(secret, parsed as never, at(new Date()))).toThrow("body must be the text or the bytes");
});

it.each(["", "whsec_", "undefined", "whsec_ä", undefined, 5])("says that the secret %j is none", (wrong) => {
  expect(() => verifyAs(wrong as never, body, at(new Date()))).toThrow("secret must be like whsec_…");
});

it.each([undefined, null, "m1"])("says that the headers %j are missing", (wrong) => {
  expect(() => verifyAs(secret, body, wrong as never)).toThrow("headers are missing");
});
