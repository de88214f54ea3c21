import { createReadStream, createWriteStream } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import type { Checkpoint } from "../../lib/activity/checkpoint.ts";
import type { Workspace } from "../../lib/store/workspace.ts";
import type { Verdict } from "./activity-log/verify.ts";
import { addPlainAction, type Io, type Output, UserError, type WorkspaceOptions } from "./command.ts";
import { linesOf } from "./lines.ts";
import { onWorkspace } from "./target.ts";

interface ExportOptions extends WorkspaceOptions {
  organization: string;
  out: string;
}

interface VerifyOptions {
  checkpoint?: string[];
  jwks?: string;
}

const verifyHelp = `
The exit status is 0 for a log that is as it was written, 2 for one that is not, and 1 if it could not be checked.
`;

export function addActivities(program: Command, io: Io): void {
  const group = program
    .command("activities")
    .description("export or verify the activity log of an organization, or unlock those of a workspace");
  const exportCommand = group
    .command("export")
    .description("write the activity log of an organization to a file, one JSON record a line")
    .requiredOption("--organization <id>", "id of the organization (required)")
    .requiredOption("--out <file>", "file to create (required)");
  onWorkspace(exportCommand, io, exportLog);
  const verifyCommand = group
    .command("verify")
    .description("verify an exported log, without the service: name the first record that is not as it was written")
    .argument("<file>", "file that activities export has written")
    .option(
      "--checkpoint <jws>",
      "reply of /v2/activities/checkpoint/get, which the log must contain; repeatable",
      added,
    )
    .option("--jwks <file>", "reply of /.well-known/jwks/{apiKey}/records, which verifies the checkpoints")
    .addHelpText("after", verifyHelp);
  addPlainAction(verifyCommand, io, verify);
  const unlockCommand = group
    .command("unlock")
    .description("unset immutable, so that calls can update and delete activities; each log records it");
  onWorkspace(unlockCommand, io, unlock);
}

async function unlock({ apiKey }: Workspace): Promise<Output> {
  const { unlockActivities } = await import("./activity-log/unlock.ts");
  const wasImmutable = await unlockActivities({ workspace: apiKey });
  const text = wasImmutable
    ? "The activity logs are not immutable any more. Each of them records that within minutes."
    : "The activity logs were not immutable. Nothing has changed.";
  return { json: { wasImmutable }, text };
}

async function exportLog({ apiKey }: Workspace, { organization: organizationId, out }: ExportOptions): Promise<Output> {
  const Activity = await import("../../lib/store/activity/activity.ts");
  const { exportedLines, LogGoneError } = await import("./activity-log/export.ts");
  const organization = { workspace: apiKey, organizationId };
  // DynamoDB rejects an empty key. An unset shell variable gives an empty option.
  const head = organizationId === "" ? undefined : await Activity.head(organization);
  if (!head) throw new UserError(`The organization "${organizationId}" has no activity log. Check --organization.`);
  // It has personal data.
  const file = createWriteStream(out, { flags: "wx", mode: 0o600 });
  try {
    await pipeline(Readable.from(exportedLines(organization, head)), file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).syscall === "open") {
      const { code, message } = cause as NodeJS.ErrnoException;
      if (code === "EEXIST")
        throw new UserError(`The file ${out} exists already. Delete it, or give another name with --out.`, { cause });
      throw new UserError(`The file ${out} cannot be created: ${message}`, { cause });
    }
    // Half an export would verify, without its last records.
    await rm(out, { force: true });
    throw cause instanceof LogGoneError ? new UserError(cause.message, { cause }) : cause;
  }
  const { chain, sequence, hash } = head;
  const text = `Wrote ${sequence} records to ${out}. The last hash is ${hash}.`;
  return { json: { organizationId, chain, records: sequence, hash, file: out }, text };
}

const added = (one: string, others: string[] = []) => [...others, one];

async function verify({ checkpoint = [], jwks }: VerifyOptions, file: string): Promise<Output> {
  const { verifyLog } = await import("./activity-log/verify.ts");
  if ((checkpoint.length === 0) !== (jwks === undefined)) throw new UserError("Give --checkpoint and --jwks together.");
  const signed: Checkpoint[] = [];
  for (const each of checkpoint) signed.push(await readSigned(each, String(jwks)));
  const lines = linesOf(createReadStream(file));
  const verdict = await verifyLog(lines, ...signed).catch((cause: Error) => {
    throw new UserError(`The file ${file} cannot be read: ${cause.message}`, { cause });
  });
  return outputOf(verdict, signed);
}

async function readSigned(jws: string, jwks: string): Promise<Checkpoint> {
  const { readCheckpoint } = await import("../../lib/activity/checkpoint.ts");
  const keys = await readFile(jwks, "utf8")
    .then((text) => JSON.parse(text))
    .catch((cause: Error) => {
      throw new UserError(`The file ${jwks} has no keys: ${cause.message}`, { cause });
    });
  const signed = await readCheckpoint(jws, keys);
  if (!signed) throw new UserError(`A checkpoint was not signed by a key in ${jwks}. Nothing was verified.`);
  return signed;
}

function outputOf(verdict: Verdict, signed: readonly Checkpoint[]): Output {
  if ("fault" in verdict) {
    const { message, ...fault } = verdict.fault;
    return { json: { verified: false, ...fault, message }, text: message, status: 2 };
  }
  const { verified } = verdict;
  const { records, hash, textsRemoved } = verified;
  const contained = signed.map(
    ({ sequence, at }) => `It contains the checkpoint of record ${sequence}, signed at ${at}.`,
  );
  const rest =
    contained.join("\n") ||
    "Without --checkpoint, nobody can see whether its last records are missing, or all of it was written anew.";
  const found =
    records === 0
      ? "The file has no records."
      : `${records} records are as they were written. The last hash is ${hash}.`;
  const text = `${found} ${textsRemoved === 0 ? "No text was removed." : `Texts that were removed: ${textsRemoved}.`}\n${rest}`;
  return { json: { verified: true, ...verified, checkpoints: signed }, text };
}
