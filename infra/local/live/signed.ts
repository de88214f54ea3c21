// The check of a signed call of AppSync Events. Facts: signature version 4, service `appsync`, the host and the body are
// signed. Assumed: the messages, and five minutes between the time of the signature and of its arrival.
import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { signatureOf, timeOf } from "../presigned.ts";

const ageMsMax = 300_000;
const form = /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/([^,]+), ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

/** What is wrong with the signature of a request. Undefined: it is right. */
export function signatureError(request: IncomingMessage, body: Buffer): string | undefined {
  const [, id, scopeText = "", names = "", given] = form.exec(request.headers.authorization ?? "") ?? [];
  const scope = scopeText.split("/");
  const at = String(request.headers["x-amz-date"]);
  if (id !== process.env.AWS_ACCESS_KEY_ID) return "The security token included in the request is invalid.";
  if (scope.length !== 4 || scope[2] !== "appsync" || !at.startsWith(`${scope[0]}T`))
    return "Credential should be scoped to the service appsync and to the date of the request.";
  if (!(Math.abs(Date.now() - timeOf(at)) <= ageMsMax)) return "Signature expired.";
  const signed = names.split(";");
  if (!["host", "x-amz-date"].every((name) => signed.includes(name))) return "Host and date must be signed.";
  if (signatureOf(request, { at, scope, names: signed, payload: hash("sha256", body, "hex") }) === given)
    return undefined;
  return "The request signature we calculated does not match the signature you provided.";
}
