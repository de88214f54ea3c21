// The chain of an activity log (DECISIONS.md#activity-chain). Each record has the hash of the record before it, so a
// record that is changed, removed, inserted or moved is found. Texts are not in the record, only their salted hashes. So
// a text can be erased, and the chain still verifies.
import { hash, randomBytes } from "node:crypto";

/** The parts of an activity that people wrote, or that name them. */
export const contentParts = ["actionUser", "changes", "displayMessage", "metadata"] as const;
export type ContentPart = (typeof contentParts)[number];

/** Strings and integers only. Absent fields are omitted. */
export interface ChainRecord {
  /** The chain's id. Each life of an organization has another one. */
  chain: string;
  /** From 1 on, without a gap. */
  sequence: number;
  activityId: string;
  organizationId: string;
  documentId?: string | undefined;
  eventType: string;
  /** ISO 8601. */
  createdAt: string;
  /** The public id of the auth token of the call. Absent: a job caused it, or a record is older than this field. */
  authTokenId?: string | undefined;
  /** In a record of an update or deletion: the id of the changed activity. */
  target?: string | undefined;
  /** The salted hash of each part, hex. */
  content: Partial<Record<ContentPart, string>>;
}

/** A text with its salt (hex), as it is kept beside the record. */
export interface SaltedText {
  salt: string;
  text: string;
}

export type Texts = Partial<Record<ContentPart, SaltedText>>;

const saltBytes = 32;

export const salted = (text: string): SaltedText => ({ salt: randomBytes(saltBytes).toString("hex"), text });

/** SHA-256 in hex. Each part stands after its length, so no byte of one can pass for a byte of the next. */
function hashOf(...parts: readonly (string | Buffer)[]): string {
  const framed = parts.map((part) => Buffer.from(part)).flatMap((part) => [Buffer.from(`${part.length}:`), part]);
  return hash("sha256", Buffer.concat(framed), "hex");
}

export const hashOfText = ({ salt, text }: SaltedText): string =>
  hashOf("activity:text", Buffer.from(salt, "hex"), text);

/** The salted hash of each text, as a record has it. */
export const contentOf = (texts: Texts): ChainRecord["content"] =>
  Object.fromEntries(Object.entries(texts).map(([part, text]) => [part, hashOfText(text)]));

/** The hash "before" the first record of a chain, hex. */
export const firstHash = (chain: string): string => hashOf("activity:chain", chain);

/** `previous`: the hash of the record before, hex. */
export const hashOfRecord = (previous: string, record: ChainRecord): string =>
  hashOf("activity:record", previous, canonicalJson(record));

/** JSON of strings, integers and objects of them, without white space, all keys in the order of their code units. */
export function canonicalJson(value: unknown): string {
  if (!(value instanceof Object) || Array.isArray(value)) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  // An object could not keep the order of keys such as "10" and "9".
  const sorted = fields.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each)}`).join(",")}}`;
}
