// One line of an exported activity log: a record, its hash, and the texts that are not removed.
import { jsonIn } from "../../../lib/json.ts";
import {
  type ChainRecord,
  canonicalJson,
  type SaltedText,
  type Texts,
} from "../../../lib/store/activity/activity-chain.ts";

export interface Exported {
  record: ChainRecord;
  /** Hex. */
  hash: string;
  /** Absent: none, or all are removed. */
  texts?: Texts;
}

/** Canonical JSON. The record is as it was stored, so a record that is not canonical is found. */
export function lineOf({ record, hash, texts }: { record: string; hash: string; texts?: string | undefined }): string {
  const kept = canonicalJson(JSON.parse(texts ?? "{}"));
  return `{"hash":${JSON.stringify(hash)},"record":${record}${kept === "{}" ? "" : `,"texts":${kept}`}}\n`;
}

/**
 * The record in a line, which has its line feed. Undefined: the line is no record as the service writes it. Such a line has
 * a field that no hash covers, white space, fields in another order, or a name twice.
 */
export function exportedIn(line: string): Exported | undefined {
  const entry = jsonIn(line);
  if (!isObject(entry)) return undefined;
  const { record, hash, texts, ...others } = entry;
  const isRecord = isObject(record) && isObject(record.content) && typeof record.chain === "string";
  if (!isRecord || !Number.isSafeInteger(record.sequence) || typeof hash !== "string") return undefined;
  if ((texts !== undefined && !isObject(texts)) || Object.keys(others).length > 0) return undefined;
  const written = { record: canonicalJson(record), hash, texts: JSON.stringify(texts) };
  return lineOf(written) === line ? (entry as unknown as Exported) : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const saltPattern = /^[0-9a-f]{64}$/;

/** Two texts, or two spellings of a salt, can have the same bytes. Only one spelling is as it was stored. */
export const isSalted = (given: unknown): given is SaltedText =>
  isObject(given) &&
  Object.keys(given).length === 2 &&
  typeof given.salt === "string" &&
  saltPattern.test(given.salt) &&
  typeof given.text === "string" &&
  given.text.isWellFormed();
