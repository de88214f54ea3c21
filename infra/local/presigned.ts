// The check of a presigned PUT: signature, time, and the headers that are signed, as S3 checks them. Every local client
// has the same credentials (`environment.ts`).
import { createHmac, hash } from "node:crypto";
import type { IncomingMessage } from "node:http";

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

/** The code and message of S3's refusal (403). Undefined: the address is right, or the request is not presigned. */
export function refusalOf(request: IncomingMessage, now = Date.now()): [code: string, message: string] | undefined {
  const { searchParams } = new URL(request.url ?? "/", "http://localhost");
  const given = searchParams.get("X-Amz-Signature");
  if (given === null) return undefined;
  const at = searchParams.get("X-Amz-Date") ?? "";
  if (!(timeOf(at) + Number(searchParams.get("X-Amz-Expires")) * 1_000 > now))
    return ["AccessDenied", "Request has expired"];
  const names = (searchParams.get("X-Amz-SignedHeaders") ?? "").split(";");
  const [, ...scope] = (searchParams.get("X-Amz-Credential") ?? "").split("/");
  if (signatureOf(request, { at, scope, names, payload: "UNSIGNED-PAYLOAD" }) === given) return undefined;
  return ["SignatureDoesNotMatch", "The request signature we calculated does not match the signature you provided."];
}

/** The time in the form of AWS's signatures, in ms. NaN: the text is no time. */
export function timeOf(at: string): number {
  return Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
}

export interface Signing {
  /** The time in the request. */
  at: string;
  /** Date, region, service and `aws4_request`. */
  scope: string[];
  /** The names of the signed headers. */
  names: string[];
  /** The hash of the body, or what stands for it. */
  payload: string;
}

/** The signature (version 4) that a request should have. */
export function signatureOf(request: IncomingMessage, { at, scope, names, payload }: Signing): string {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const query = [...searchParams].filter(([name]) => name !== "X-Amz-Signature");
  const canonical = [
    request.method,
    pathname,
    query
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join("&"),
    ...names.map((name) => `${name}:${String(request.headers[name] ?? "").trim()}`),
    "",
    names.join(";"),
    payload,
  ].join("\n");
  const signed = ["AWS4-HMAC-SHA256", at, scope.join("/"), hash("sha256", canonical, "hex")].join("\n");
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${process.env.AWS_SECRET_ACCESS_KEY}`);
  return hmac(key, signed).toString("hex");
}
