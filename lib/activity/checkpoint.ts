// A checkpoint says how far a log had come at a time: who keeps it can show later that records are missing or were
// written anew. It is signed by the workspace's records key (DECISIONS.md#activity-chain).
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from "jose";

export interface Checkpoint {
  chain: string;
  organizationId: string;
  sequence: number;
  /** Of the record with this sequence number, hex. */
  hash: string;
  /** When it was signed, ISO 8601. */
  at: string;
}

/** `typ` in the header of the JWS. */
export const checkpointType = "activity-checkpoint";

/** What a genuine checkpoint says. Undefined: it is not one of these keys' workspace. */
export async function readCheckpoint(jws: string, keys: JSONWebKeySet): Promise<Checkpoint | undefined> {
  try {
    const { payload, protectedHeader } = await compactVerify(jws, createLocalJWKSet(keys), { algorithms: ["ES256"] });
    return protectedHeader.typ === checkpointType ? JSON.parse(Buffer.from(payload).toString()) : undefined;
  } catch {
    return undefined;
  }
}
