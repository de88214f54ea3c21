// A checkpoint says how far a log had come at a time. A person who keeps it can show later that records are missing or
// were written anew. It is signed by the workspace's records key (DECISIONS.md#activity-chain).
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from "jose";

export interface Checkpoint {
  chain: string;
  organizationId: string;
  sequence: number;
  /** The hash of the record with this sequence number, hex. */
  hash: string;
  /** When it was signed, ISO 8601. */
  at: string;
}

/** `typ` in the header of the JWS. */
export const checkpointType = "activity-checkpoint";

/**
 * The content of a genuine checkpoint. Undefined: it is no checkpoint that one of these keys has signed, or its base64url
 * is in another form than a signer writes.
 */
export async function readCheckpoint(jws: string, keys: JSONWebKeySet): Promise<Checkpoint | undefined> {
  try {
    if (jws.split(".").some((part) => Buffer.from(part, "base64url").toString("base64url") !== part)) return undefined;
    const { payload, protectedHeader } = await compactVerify(jws, createLocalJWKSet(keys), { algorithms: ["ES256"] });
    return protectedHeader.typ === checkpointType ? JSON.parse(Buffer.from(payload).toString()) : undefined;
  } catch {
    return undefined;
  }
}
