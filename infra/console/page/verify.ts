// Verifies an activity log in the browser, as functions/workspace/ACTIVITY.md describes it. It shares no code with the
// service, so a fault of the service's own code is found too.
import { canonicalJson } from "./canonical.ts";

interface ExportedLine {
  record: {
    chain: string;
    sequence: number;
    content: Record<string, string>;
    [field: string]: unknown;
  };
  hash: string;
  texts?: Record<string, { salt: string; text: string }>;
}

export interface Verified {
  records: number;
  textsRemoved: number;
  /** How many records the console's server has hidden in part. They were not checked. */
  hidden: number;
  chain?: string;
  /** Of the last record, hex. */
  hash?: string;
  /** Of each record, hex: a checkpoint names one of them. */
  hashes: string[];
}

export type Verdict = { verified: Verified } | { fault: string };

const encoder = new TextEncoder();

async function sha256(data: Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const bytesOfHex = (text: string) => (text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));

const bytesOfBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** `lines`: of the export, without their line feeds. `mark`: that of hidden lines; absent: there are none. */
export async function verifyLog(lines: string[], mark?: string): Promise<Verdict> {
  const hashes: string[] = [];
  let [textsRemoved, hidden] = [0, 0];
  let chain: string | undefined;
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    const hiddenEntry = hiddenIn(line, mark);
    const entry = hiddenEntry ?? parsed(line);
    if (!entry) return { fault: `Line ${number} is not a record.` };
    const { record, texts = {} } = entry;
    chain ??= record.chain;
    const before = hashes.at(-1) ?? (await sha256(encoder.encode(record.chain)));
    const canonical = canonicalJson(record);
    // The hash of a hidden record cannot be computed, but that of the next record, or the checkpoint, depends on it.
    const hash = hiddenEntry?.hash ?? (await sha256(encoder.encode(`activity:v1\n${before}\n${canonical}`)));
    if (record.sequence !== number || record.chain !== chain || hash !== entry.hash)
      return { fault: `Record ${number} is not the one that was written there: its hash does not follow.` };
    hashes.push(hash);
    if (hiddenEntry) {
      hidden++;
      continue;
    }
    const part = await changedText(entry);
    if (part) return { fault: `The text ${part} of record ${number} is not the one that was recorded.` };
    textsRemoved += Object.keys(record.content).length - Object.keys(texts).length;
  }
  const hash = hashes.at(-1);
  return {
    verified: { records: hashes.length, textsRemoved, hidden, hashes, ...(chain && { chain }), ...(hash && { hash }) },
  };
}

/** The name of a text that is not the recorded one. A missing text was removed, which an erasure does. */
async function changedText({ record, texts = {} }: ExportedLine): Promise<string | undefined> {
  for (const [part, { salt, text }] of Object.entries(texts)) {
    const salted = new Uint8Array([...bytesOfHex(salt), ...encoder.encode(text)]);
    if ((await sha256(salted)) !== record.content[part]) return part;
  }
  return undefined;
}

/** Undefined: not a line of an export. White space that the export does not write makes it none. */
function parsed(line: string): ExportedLine | undefined {
  try {
    const entry = JSON.parse(line) as ExportedLine;
    const { record, hash, texts } = entry;
    const exact = [
      `{"record":${canonicalJson(record)},"hash":${JSON.stringify(hash)}`,
      texts === undefined ? "}" : `,"texts":${JSON.stringify(texts)}}`,
    ].join("");
    return exact === line && typeof record.content === "object" ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined: the console's server has not hidden a part of the line. */
function hiddenIn(line: string, mark: string | undefined): ExportedLine | undefined {
  if (!mark || !line.startsWith(`{"hidden":${JSON.stringify(mark)},`)) return undefined;
  try {
    const entry = JSON.parse(JSON.parse(line).line) as ExportedLine;
    return typeof entry.record === "object" && entry.record !== null ? entry : undefined;
  } catch {
    return undefined;
  }
}

export interface Checkpoint {
  chain: string;
  organizationId: string;
  sequence: number;
  hash: string;
  at: string;
}

/** What a checkpoint says. Undefined: it does not have the form of one. Its signature is not looked at. */
export function checkpointIn(jws: string): Checkpoint | undefined {
  try {
    const [, payload = ""] = jws.split(".");
    const bytes = bytesOfBase64Url(payload);
    return JSON.parse(new TextDecoder().decode(bytes)) as Checkpoint;
  } catch {
    return undefined;
  }
}

/** A public key of the workspace, as a JWK. */
export interface PublicKey {
  kty?: string;
  crv?: string;
  x?: string;
  y?: string;
}

/** Whether one of the workspace's records keys has signed it (ES256). */
export async function isGenuine(jws: string, keys: PublicKey[]): Promise<boolean> {
  const [header = "", payload = "", signature = ""] = jws.split(".");
  const signed = encoder.encode(`${header}.${payload}`);
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  try {
    const bytes = bytesOfBase64Url(signature);
    for (const { kty, crv, x, y } of keys) {
      if (!kty || !crv || !x || !y) continue;
      const key = await crypto.subtle.importKey("jwk", { kty, crv, x, y }, algorithm, false, ["verify"]);
      if (await crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, bytes, signed)) return true;
    }
  } catch {
    // A key or a signature of another form has not signed it.
  }
  return false;
}
