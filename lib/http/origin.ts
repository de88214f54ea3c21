// Refuses calls that did not come through the operator's own front, such as a CDN with a firewall
// (DECISIONS.md#calls-past-the-front).
import { hash, timingSafeEqual } from "node:crypto";
import { config } from "../config.ts";
import { ApiError } from "../errors.ts";

/** The front adds this header to each call. */
export const originSecretHeader = "x-origin-secret";

/** The failure of a call without the secret of the front. Undefined: the call may go on. */
export function pastTheFront(headers: Readonly<Record<string, string | undefined>>): ApiError | undefined {
  const allowed = config.originSecretSha256().split(",").filter(Boolean);
  if (allowed.length === 0) return undefined;
  const sent = hash("sha256", headers[originSecretHeader] ?? "", "buffer");
  if (allowed.some((each) => timingSafeEqual(Buffer.from(each, "hex"), sent))) return undefined;
  return new ApiError("PERMISSION_DENIED", "This address takes no calls. Use the public address of the service.");
}
