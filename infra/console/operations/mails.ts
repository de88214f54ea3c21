// The messages that the local server has written to files in place of sending them.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";
import type { Operations, ShownMail } from "../operations.ts";

/** The page shows no more. */
const mailsMax = 200;

/** As infra/local/outbox-files.ts names them: time and number, recipient, subject. Either of the last two can be empty. */
const fileName = /^((\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3}Z)-\d+)(?:_(.*))?\.(eml|sendgrid\.json|slack\.json)$/s;

export function localMails(folder: string): NonNullable<Operations["mails"]> {
  const filesOf = async () => (await readdir(folder).catch(ifMissing)).filter((name) => fileName.test(name)).sort();
  return {
    async list() {
      const latest = (await filesOf()).slice(-mailsMax).reverse();
      return Promise.all(latest.map((name) => shown(folder, name)));
    },
    async html(id) {
      const name = (await filesOf()).find((each) => fileName.exec(each)?.[1] === id);
      return name === undefined ? undefined : pageOf(name, await readFile(join(folder, name)));
    },
  };
}

async function shown(folder: string, name: string): Promise<ShownMail> {
  const [, id = "", day, hours, minutes, seconds, rest = "", extension] = fileName.exec(name) ?? [];
  const at = `${day}T${hours}:${minutes}:${seconds}`;
  const content = await readFile(join(folder, name));
  if (extension === "eml") {
    const { to, subject = "" } = await PostalMime.parse(content);
    return { id, at, channel: "email", to: to?.[0]?.address ?? "", subject };
  }
  const message = JSON.parse(content.toString());
  if (extension === "slack.json") {
    const [recipient = ""] = rest.split("_");
    return { id, at, channel: "slack", to: recipient || message.channel, subject: message.text ?? "" };
  }
  const [{ to, dynamic_template_data: data }] = message.personalizations;
  return { id, at, channel: "email", to: to[0].email, subject: message.subject ?? data?.subject ?? "" };
}

/** The HTML of a mail as it was rendered. Anything else as text. */
async function pageOf(name: string, content: Buffer): Promise<string> {
  if (name.endsWith(".eml")) {
    const { html, text = "" } = await PostalMime.parse(content);
    return html ?? textPage(text);
  }
  const parts: { type: string; value: string }[] = JSON.parse(content.toString()).content ?? [];
  const html = Array.isArray(parts) ? parts.find(({ type }) => type === "text/html")?.value : undefined;
  return html ?? textPage(content.toString());
}

function textPage(text: string): string {
  const escapes: Record<string, string> = { "<": "&lt;", ">": "&gt;", "&": "&amp;" };
  return `<!doctype html><meta charset="utf-8"><pre>${text.replaceAll(/[<>&]/g, (found) => escapes[found] ?? "")}</pre>`;
}

function ifMissing(thrown: NodeJS.ErrnoException): string[] {
  if (thrown.code !== "ENOENT") throw thrown;
  return [];
}
