// What SES checks of a message before it takes it. The texts are those of SES, or close to them.
import { SesError } from "./ses-error.ts";

export interface SendInput {
  FromEmailAddress?: string;
  Destination?: { ToAddresses?: string[]; CcAddresses?: string[]; BccAddresses?: string[] };
  Content?: { Raw?: { Data?: string } };
  EmailTags?: { Name?: string; Value?: string }[];
  ConfigurationSetName?: string;
}

export interface Account {
  /** Verified addresses and domains. */
  identities: readonly string[];
  configurationSets: readonly string[];
}

export interface AcceptedMail {
  from: string;
  to: string[];
  raw: Buffer;
  headers: Header[];
  tags: Record<string, string[]>;
}

const recipientsMax = 50;
const bytesMax = 40 * 1_024 * 1_024;
/** RFC 5322 allows 998 characters and CRLF in a line, and SES refuses a longer one. */
const lineBytesMax = 998;
/** Of a sender, with its encoded name. */
const senderMax = 320;
const tagsMax = 50;
const tagText = /^[A-Za-z0-9_-]{1,256}$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const bad = (message: string) => new SesError("BadRequestException", message);

export function accepted(input: SendInput, account: Account): AcceptedMail {
  const { FromEmailAddress: from = "", Destination = {}, ConfigurationSetName: set } = input;
  const to = [Destination.ToAddresses, Destination.CcAddresses, Destination.BccAddresses].flatMap((each) => each ?? []);
  if (to.length === 0) throw bad("There must be at least one recipient.");
  if (to.length > recipientsMax) throw bad(`Recipient count exceeds ${recipientsMax}.`);
  for (const address of [from, ...to]) checkAddress(address);
  if (set !== undefined && !account.configurationSets.includes(set))
    throw new SesError("NotFoundException", `Configuration set <${set}> does not exist.`);
  const raw = rawOf(input);
  const headers = headersOf(raw);
  const fromHeader = headers.filter(({ name }) => name === "from");
  if (fromHeader.length !== 1) throw bad("Missing required header 'From', or it is there twice.");
  const [, sender = ""] = /^From:(.*(?:\r\n[ \t].*)*)/im.exec(raw.toString("latin1")) ?? [];
  if (sender.replaceAll("\r\n", "").trim().length > senderMax)
    throw bad("Address length is more than 320 characters long.");
  checkVerified([from, addressIn(fromHeader[0]?.value ?? "")], account.identities);
  return {
    from,
    to,
    raw,
    headers,
    tags: { ...tagsOf(input), ...(set !== undefined && { "ses:configuration-set": [set] }) },
  };
}

function rawOf({ Content }: SendInput): Buffer {
  const data = Content?.Raw?.Data ?? "";
  if (data === "" || !base64.test(data)) throw bad("Content.Raw.Data must be a message in base64.");
  const raw = Buffer.from(data, "base64");
  if (raw.length > bytesMax) throw bad(`Message length is more than ${bytesMax} bytes long.`);
  if (
    raw
      .toString("latin1")
      .split(/\r?\n/)
      .some((line) => line.length > lineBytesMax)
  )
    throw bad("A line of the message is too long.");
  return raw;
}

function tagsOf({ EmailTags = [] }: SendInput): Record<string, string[]> {
  if (EmailTags.length > tagsMax) throw bad(`A message has at most ${tagsMax} tags.`);
  return Object.fromEntries(
    EmailTags.map(({ Name = "", Value = "" }) => {
      if (!tagText.test(Name) || !tagText.test(Value))
        throw bad("Tags contain alphanumeric ASCII characters, '-' and '_' only.");
      return [Name, [Value]];
    }),
  );
}

function checkAddress(address: string): void {
  const [, local = "", domain = ""] = /^(.*)@([^@]*)$/.exec(address) ?? [];
  if (domain === "") throw bad("Missing final '@domain'");
  if (!/^[\x21-\x7e]{1,64}$/.test(local)) throw bad("Local address contains control or whitespace");
  if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(domain)) throw bad("Domain contains illegal character");
}

function checkVerified(addresses: readonly string[], identities: readonly string[]): void {
  const known = new Set(identities.map((each) => each.toLowerCase()));
  const failed = addresses.filter((address) => {
    const lower = address.toLowerCase();
    return !known.has(lower) && !known.has(lower.slice(lower.lastIndexOf("@") + 1));
  });
  if (failed.length === 0) return;
  const text = `Email address is not verified. The following identities failed the check in region US-EAST-1: ${failed}`;
  throw new SesError("MessageRejected", text);
}

/** The address of a From header, with or without a display name. */
const addressIn = (header: string) => /<([^<>]*)>\s*$/.exec(header)?.[1] ?? header.trim();

interface Header {
  /** In lower case. */
  name: string;
  /** Unfolded and decoded. */
  value: string;
}

/** The headers of a message, as its reader sees them. */
export function headersOf(raw: Buffer): Header[] {
  const [head = ""] = raw.toString("utf8").split(/\r?\n\r?\n/);
  return head
    .replace(/\r?\n(?=[ \t])/g, "")
    .split(/\r?\n/)
    .map((line) => {
      const colon = line.indexOf(":");
      return { name: line.slice(0, colon).toLowerCase(), value: decoded(line.slice(colon + 1).trim()) };
    });
}

/** Decodes the encoded words of RFC 2047. */
function decoded(value: string): string {
  return value
    .replace(/(\?=)\s+(?==\?)/g, "$1")
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
      encoding.toLowerCase() === "b" ? Buffer.from(text, "base64").toString("utf8") : decodedQ(text),
    );
}

function decodedQ(text: string): string {
  const latin1 = text
    .replaceAll("_", " ")
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(latin1, "latin1").toString("utf8");
}
