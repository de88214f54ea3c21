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
  if (!isObject(record) || typeof hash !== "string" || Object.keys(others).length > 0) return undefined;
  const { content, ...fields } = record;
  const isRecord = typeof record.chain === "string" && Number.isSafeInteger(record.sequence);
  if (!isRecord || !isFlat(fields) || !isFlat(content)) return undefined;
  if (texts !== undefined && !(isObject(texts) && Object.values(texts).every(isFlat))) return undefined;
  const written = { record: canonicalJson(record), hash, texts: JSON.stringify(texts) };
  return lineOf(written) === line ? (entry as unknown as Exported) : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether an object has strings of well-formed Unicode and integers only. */
const isFlat = (value: unknown) =>
  isObject(value) &&
  Object.entries(value)
    .flat()
    .every((each) => (typeof each === "string" ? each.isWellFormed() : Number.isSafeInteger(each)));

const saltPattern = /^[0-9a-f]{64}$/;

/** Two texts, or two spellings of a salt, can have the same bytes. Only one spelling is as it was stored. */
export const isSalted = (given: unknown): given is SaltedText =>
  isObject(given) &&
  Object.keys(given).length === 2 &&
  typeof given.salt === "string" &&
  saltPattern.test(given.salt) &&
  typeof given.text === "string";
