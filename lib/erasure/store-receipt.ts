// The receipt of an erasure (DECISIONS.md#receipts-of-erasures).
import { hash, randomBytes } from "node:crypto";
import { signRecord } from "../access/signing-keys.ts";
import { keptDays } from "../retention.ts";
import type { Progress } from "../schema/jobs.ts";
import type { Found } from "../store/erasure/erasure-count.ts";
import * as Receipt from "../store/erasure/receipt.ts";
import type { Context, Taken } from "./context.ts";
import { notCovered, outside } from "./coverage.ts";

/** `typ` in the header of the JWS. */
const receiptType = "erasure-receipt";

/** The hash of a user id in a receipt. A person who knows the id can find it there. */
const hashOfUser = (salt: string, userId: string) => hash("sha256", `${salt}\n${userId}`, "hex");

/** Signs and stores the receipt of an erasure that is done. `together`: how many erasures were done, and are counted. */
export async function storeReceipt(
  { workspace, organizationId }: Context,
  { jobId, userIds, acceptedAt }: Taken,
  { found, progress, together }: { found: Found; progress: Progress; together: number },
): Promise<void> {
  const completedAt = new Date();
  const in_ = (days: number) => new Date(completedAt.getTime() + days * 86_400_000).toISOString();
  const salt = randomBytes(16).toString("hex");
  const record = {
    jobId,
    workspace,
    organizationId,
    acceptedAt,
    completedAt: completedAt.toISOString(),
    salt,
    users: userIds.map((userId) => hashOfUser(salt, userId)),
    ...(together > 1 && { together }),
    removed: found.removed,
    redacted: found.redacted,
    endsLater: {
      "replies to an Idempotency-Key": in_(keptDays.idempotentReply),
      "ids of the users, without any other data": in_(keptDays.erasedUser),
      "hashes of their ids, which end user tokens": in_(keptDays.revocation),
      "hashes of their ids and e-mail addresses, which count calls and messages": in_(keptDays.messageCount),
    },
    notCovered: organizationId === undefined ? notCovered : [outside, ...notCovered],
  };
  const jws = await signRecord(workspace, receiptType, record);
  await Receipt.add({ workspace }, { jobId, kind: "erasure", progress, jws });
}
