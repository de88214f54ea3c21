// The names of channels (DECISIONS.md#live). A name counts for a window of three minutes. It shows neither a tenant nor a
// document.
import { createHmac } from "node:crypto";
import type { DocumentUid, UserLifeRef } from "../store/refs.ts";
import type { LiveKeys } from "./keys.ts";

/** What a channel is about: a document, or a life of a user. */
export type Subject = { documentUid: DocumentUid } | Omit<UserLifeRef, "workspace">;

export const windowMs = 180_000;
/** A publisher also uses the former name for this long: a call takes at most 28 s, and clocks differ. */
const overlapMs = 30_000;
const nameBytes = 20;
const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

const windowAt = (now: number) => Math.floor(now / windowMs);

/** The names of this window and of the next. */
export const namesFrom = (keys: LiveKeys, subject: Subject, now: number) =>
  [0, 1].map((later) => nameOf(keys, subject, windowAt(now) + later)) as [string, string];

/** The names to which a message goes now. */
export function publishedNames(keys: LiveKeys, subject: Subject, now: number): string[] {
  const windows = [windowAt(now), windowAt(now - overlapMs)];
  return [...new Set(windows)].map((each) => nameOf(keys, subject, each));
}

function nameOf({ names }: LiveKeys, subject: Subject, window: number): string {
  const parts =
    "documentUid" in subject
      ? ["document", subject.documentUid]
      : ["user", subject.organizationId, subject.userId, subject.generation];
  const mac = createHmac("sha256", names).update(JSON.stringify([window, ...parts]));
  return base32(mac.digest().subarray(0, nameBytes));
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join("");
}
