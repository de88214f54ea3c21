// The messages that the local server has written to files in place of sending them.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";
import * as z from "zod/mini";
import { jsonIn } from "../../../../lib/json.ts";
import type { Operations, ShownMail } from "../operations.ts";

/** The page shows no more. */
const mailsMax = 200;

/** As infra/local/outbox-files.ts names them: time and number, recipient, subject. Either of the last two can be empty. */
const fileName = /^((\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3}Z)-\d+)(?:_(.*))?\.(eml|sendgrid\.json|slack\.json)$/s;

export function localMails(folder: string): NonNullable<Operations["mails"]> {
  const filesOf = async () =>
    ((await readdir(folder).catch(ifMissing)) ?? []).filter((name) => fileName.test(name)).sort();
  /** By name. A file stays as it was written, so each is read once. */
  let known = new Map<string, ShownMail>();
  return {
    async list() {
      const latest = (await filesOf()).slice(-mailsMax).reverse();
      const found = await Promise.all(latest.map((name) => known.get(name) ?? shown(folder, name)));
      known = new Map(latest.flatMap((name, index) => (found[index] ? [[name, found[index]]] : [])));
      return [...known.values()];
    },
    async html(id) {
      const name = (await filesOf()).find((each) => fileName.exec(each)?.[1] === id);
      const content = name && (await readFile(join(folder, name)).catch(ifMissing));
      return name && content ? pageOf(name, content) : undefined;
    },
  };
}

/** Undefined: the file has gone meanwhile. Of a file that is no message, only its name is known. */
async function shown(folder: string, name: string): Promise<ShownMail | undefined> {
  const [, id = "", day, hours, minutes, seconds, rest = "", extension] = fileName.exec(name) ?? [];
  const [recipient = "", ...words] = rest.split("_");
  const channel = extension === "slack.json" ? "slack" : "email";
  const named = { id, at: `${day}T${hours}:${minutes}:${seconds}`, channel, to: recipient, subject: words.join("_") };
  const content = await readFile(join(folder, name)).catch(ifMissing);
  if (!content) return undefined;
  try {
    return { ...named, ...(extension === "eml" ? await ofMail(content) : ofJson(content, named)) };
  } catch {
    return named;
  }
}

async function ofMail(content: Buffer) {
  const { from, to, subject = "" } = await PostalMime.parse(content);
  const { name, address } = from ?? {};
  return { ...(address && { from: senderOf(address, name) }), to: to?.[0]?.address ?? "", subject };
}

const senderOf = (address: string, name: string | undefined) => (name ? `${name} <${address}>` : address);

const Slack = z.object({ channel: z.string(), text: z._default(z.string(), "") });
const SendGrid = z.object({
  from: z.optional(z.object({ email: z.string(), name: z.optional(z.string()) })),
  personalizations: z.array(
    z.object({
      to: z.array(z.object({ email: z.string() })),
      dynamic_template_data: z.optional(z.object({ subject: z.optional(z.string()) })),
    }),
  ),
  subject: z.optional(z.string()),
});

/** Throws for another form. */
function ofJson(content: Buffer, { channel, to }: Pick<ShownMail, "channel" | "to">) {
  const message: unknown = JSON.parse(content.toString());
  if (channel === "slack") {
    const slack = Slack.parse(message);
    return { to: to || slack.channel, subject: slack.text };
  }
  const { from, personalizations, subject } = SendGrid.parse(message);
  const [first] = personalizations;
  return {
    ...(from && { from: senderOf(from.email, from.name) }),
    to: first?.to[0]?.email ?? "",
    subject: subject ?? first?.dynamic_template_data?.subject ?? "",
  };
}

/** The HTML of a mail as it was rendered. Anything else as text. */
async function pageOf(name: string, content: Buffer): Promise<string> {
  if (name.endsWith(".eml")) {
    const { html, text = "" } = await PostalMime.parse(content);
    return html ?? textPage(text);
  }
  return htmlIn(content) ?? textPage(content.toString());
}

const Rendered = z.object({ content: z.array(z.object({ type: z.string(), value: z.string() })) });

/** Undefined: a message of a template, of Slack, or none at all. */
function htmlIn(content: Buffer): string | undefined {
  const rendered = Rendered.safeParse(jsonIn(content.toString())).data;
  return rendered?.content.find(({ type }) => type === "text/html")?.value;
}

function textPage(text: string): string {
  const escapes: Record<string, string> = { "<": "&lt;", ">": "&gt;", "&": "&amp;" };
  return `<!doctype html><meta charset="utf-8"><pre>${text.replaceAll(/[<>&]/g, (found) => escapes[found] ?? "")}</pre>`;
}

function ifMissing(thrown: NodeJS.ErrnoException): undefined {
  if (thrown.code !== "ENOENT") throw thrown;
}
