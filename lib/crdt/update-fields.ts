// Wire shapes of Yjs updates and state vectors, which are sent as base64.
import * as z from "zod/mini";
import { invalidField } from "../errors.ts";
import { derived } from "../schema/derived.ts";
import { mustBeString } from "../schema/messages.ts";
import { normalForm } from "./normal-form.ts";
import { isStateVector } from "./updates.ts";

const updateBytesMax = 300 * 1_024;
/** A state vector is shorter than the content, which has at most 3.5 MB. In base64, a request of 6 MB has room for it. */
const stateVectorBytesMax = 4 * 1_024 * 1_024;

/** The bytes have a buffer of their own: a decoder that reads past the end must not find those of another request. */
export const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, "base64"));

const isBase64 = (text: string) => /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.replace(/=+$/, "").length % 4 !== 1;

const decodedBytes = (text: string) => Math.floor((text.replace(/=+$/, "").length * 3) / 4);

function base64(limit: number, tooLong: string) {
  return z.string(mustBeString).check(
    z.refine(isBase64, { error: "Must be base64.", abort: true }),
    z.refine((text) => decodedBytes(text) <= limit, { error: tooLong, abort: true }),
  );
}

const updateTooLong = "Must have at most 300 KB decoded. Send larger changes as several updates.";

export const Update = base64(updateBytesMax, updateTooLong).check(
  z.describe("Base64 of a Yjs update in the format v1, at most 300 KB."),
);

/** The update of a request as it is stored. */
export const stored = derived(({ update }: { update: string }) => {
  const normal = normalForm(bytesOf(update));
  if (!normal) {
    throw invalidField(["update"], "Must be a Yjs update in the format v1, such as Y.encodeStateAsUpdate returns.");
  }
  // Yjs can write a value longer than the client did.
  if (normal.byteLength > updateBytesMax) throw invalidField(["update"], updateTooLong);
  return normal;
}, "update");

export const StateVector = base64(stateVectorBytesMax, "Must have at most 4 MB decoded.").check(
  z.refine((text) => isStateVector(bytesOf(text)), "Must be a Yjs state vector, such as Y.encodeStateVector returns."),
  z.describe("Base64 of a Yjs state vector."),
);
