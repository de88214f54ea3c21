import { writeFile } from "node:fs/promises";
import { extname } from "node:path";
import { type Command, Option } from "commander";
import type { MessageContent } from "../../lib/messages/message-content.ts";
import { renderEmail } from "../../lib/messages/render/email.ts";
import { mailBytes } from "../../lib/messages/render/mime.ts";
import { renderSlack } from "../../lib/messages/render/slack.ts";
import { templateDataOf } from "../../lib/messages/render/template-data.ts";
import { eventSchemas } from "../../lib/schema/events.ts";
import { mailAddress } from "../../lib/schema/mail-address.ts";
import { messageChannels } from "../../lib/schema/message-channels.ts";
import { addAction, columns, type Io, type Output, type TargetOptions, UserError } from "./command.ts";
import { contentOfEvent, messageCases } from "./message-cases.ts";
import { readSecret } from "./read-secret.ts";
import { onTarget, withTarget } from "./target.ts";

interface PreviewOptions {
  case: string;
  event?: string;
  channel: (typeof messageChannels)[number];
  out?: string;
}

const shownEvents = [
  ...Object.entries(eventSchemas).flatMap(([type, { shape }]) => ("annotationId" in shape ? [type] : [])),
  "notification.add",
];

export function addMessage(program: Command, io: Io): void {
  const group = program.command("message").description("show how messages look, and which addresses get none");
  group
    .command("preview")
    .description("render a made-up message, without keys and without sending it")
    .addOption(new Option("--case <name>", "which message").choices(Object.keys(messageCases)).default("mention"))
    .addOption(new Option("--event <type>", "a message about one such event").choices(shownEvents).conflicts("case"))
    .addOption(new Option("--channel <name>", "for which channel").choices(messageChannels).default("email"))
    .option("--out <file>", "write the message: an e-mail to .eml, .html, .txt or .json, a Slack message to .json")
    .action(async function (this: Command) {
      io.print(await preview(this.opts<PreviewOptions>()));
    });
  const listCommand = group
    .command("suppressions")
    .description("list the addresses, as hashes, that get no mail of this deployment because mail to them bounced");
  onTarget(listCommand, io, listBounces);
  const permitCommand = group
    .command("unsuppress")
    .description("permit mail to an address again whose mail bounced; the command reads it from standard input");
  addAction(permitCommand, io, (options: TargetOptions) => permitAgain(options, io));
}

async function preview({ case: name, event, channel, out }: PreviewOptions): Promise<string> {
  const message = event === undefined ? (messageCases[name] as MessageContent) : contentOfEvent(event);
  if (out === undefined) return String(await writers[channel][channel === "email" ? ".txt" : ".json"]?.(message));
  const write = writers[channel][extname(out)];
  if (!write) throw new UserError(`The file's name must end with ${Object.keys(writers[channel]).join(" or ")}.`);
  await writeFile(out, await write(message));
  return `The message is in ${out}.\n`;
}

type Writer = (message: MessageContent) => string | Promise<Buffer>;

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
const email = (message: MessageContent) => renderEmail(message, { domain: "mail.example.com" });

/** The bytes of a file, by channel and by how its name ends. A `.json` file of an e-mail has the data for a template. */
export const writers: Record<PreviewOptions["channel"], Partial<Record<string, Writer>>> = {
  email: {
    ".eml": (message) =>
      mailBytes(email(message), {
        from: { address: "notes@example.com", name: message.workspaceName },
        to: "bob@example.org",
        date: new Date(message.entries.at(-1)?.at ?? 0),
      }),
    ".html": (message) => email(message).html,
    ".txt": (message) => `Subject: ${email(message).subject}\n\n${email(message).text}`,
    ".json": (message) => json(templateDataOf(message)),
  },
  slack: { ".json": (message) => json(renderSlack(message)) },
};

async function listBounces(): Promise<Output> {
  const { bounced } = await import("../../lib/store/messages/suppression.ts");
  const found = (await bounced()).map(({ hash, at, detail = "" }) => ({ hash, at, detail }));
  const rows = found.map(({ hash, at, detail }) => [hash, at, detail]);
  return { json: found, text: columns(["HASH OF THE ADDRESS", "BOUNCED AT", "KIND"], rows) };
}

/** Standard input keeps the address out of the shell's history. */
async function permitAgain(options: TargetOptions, io: Io): Promise<Output> {
  const address = mailAddress(await readSecret(io, "E-mail address: "));
  if (address === undefined) throw new UserError("Pass one e-mail address on standard input.");
  return withTarget(options, async () => {
    const { release } = await import("../../lib/store/messages/suppression.ts");
    const isReleased = await release(undefined, address);
    const text = isReleased ? "The address gets mail again." : "Mail to the address had not bounced.";
    return { json: { isReleased }, text };
  });
}
