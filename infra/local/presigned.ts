// The check of a presigned PUT: signature, time, and the headers that are signed, as S3 checks them. Every local client
// has the same credentials (`environment.ts`).
import { createHmac, hash } from "node:crypto";
import type { IncomingMessage } from "node:http";

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

/** The code and message of S3's refusal (403). Undefined: the address is right, or the request is not presigned. */
export function refusalOf(request: IncomingMessage, now = Date.now()): [code: string, message: string] | undefined {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const given = searchParams.get("X-Amz-Signature");
  if (given === null) return undefined;
  const at = searchParams.get("X-Amz-Date") ?? "";
  const startedAt = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(startedAt + Number(searchParams.get("X-Amz-Expires")) * 1_000 > now))
    return ["AccessDenied", "Request has expired"];
  const names = (searchParams.get("X-Amz-SignedHeaders") ?? "").split(";");
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
    "UNSIGNED-PAYLOAD",
  ].join("\n");
  const [, ...scope] = (searchParams.get("X-Amz-Credential") ?? "").split("/");
  const signed = ["AWS4-HMAC-SHA256", at, scope.join("/"), hash("sha256", canonical, "hex")].join("\n");
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${process.env.AWS_SECRET_ACCESS_KEY}`);
  if (hmac(key, signed).toString("hex") === given) return undefined;
  return ["SignatureDoesNotMatch", "The request signature we calculated does not match the signature you provided."];
}
