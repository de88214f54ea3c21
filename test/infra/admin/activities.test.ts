// The commands on activity logs run in this process, on the engines of all tests.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { activitiesCheckpointGet } from "../../../functions/activity-log/activities-checkpoint-get.ts";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { jwksRecordsGet } from "../../../functions/user-tokens/jwks-records-get.ts";
import { exportedLines, LogGoneError } from "../../../infra/admin/activity-log/export.ts";
import { linesOf } from "../../../infra/admin/lines.ts";
import * as Activity from "../../../lib/store/activity/activity.ts";
import { append, chainOf, newLog, organizationId } from "../../support/activity-log.ts";
import { errorLine, mockStack, onStack, run } from "../../support/admin.ts";
import { atAwsEdge } from "../../support/aws/edge.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { temporaryFolder } from "../../support/local/start.ts";

mockStack();
fakeDates();

/** Later than the call before, so that its activity comes later. */
async function addDocument(as: Credentials, documentId: string): Promise<void> {
  later(0.02);
  await must(documentsAdd, { as, data: { organizationId, documents: [{ documentId }] } });
}

/** A log of five records. */
async function logOfFive(): Promise<Credentials> {
  const as = await newLog();
  for (const id of ["a", "é\u2028", "c"]) await addDocument(as, id);
  await append(as);
  return as;
}

const newFile = (name = "log.jsonl") => join(temporaryFolder(), name);
const exporting = ({ apiKey }: Credentials, out: string) =>
  ["activities", "export", "--workspace", apiKey, "--organization", organizationId, "--out", out] as const;

describe("activities export", () => {
  it("writes each record with its texts, as they are stored, for its owner alone", async () => {
    const as = await logOfFive();
    const out = newFile();
    const reply = await onStack(exporting(as, out));
    const stored = await chainOf(as);
    const { chain } = JSON.parse(stored[0]?.record ?? "{}");
    expect(reply).toEqual({ organizationId, chain, records: 5, hash: stored[4]?.hash, file: out });
    const lines = readFileSync(out, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      stored.map(({ record, hash, texts }) => ({ record: JSON.parse(record), hash, texts: JSON.parse(texts ?? "") })),
    );
    expect(statSync(out).mode & 0o777).toBe(0o600);
  });

  it("writes the log at the head that it read first, while the writer goes on", async () => {
    const as = await logOfFive();
    const out = newFile();
    let isAppended = false;
    atAwsEdge(async (command, run) => {
      const isOfRecords = JSON.stringify(command.input).includes('#ACT"');
      if (command.constructor.name === "QueryCommand" && isOfRecords && !isAppended) {
        isAppended = true;
        await addDocument(as, "d");
        await append(as);
      }
      return run();
    });
    expect(await onStack(exporting(as, out))).toMatchObject({ records: 5 });
    expect(isAppended).toBe(true);
    expect(readFileSync(out, "utf8").trimEnd().split("\n")).toHaveLength(5);
  });

  it("replaces no file, and leaves none when records are missing", async () => {
    const as = await logOfFive();
    const out = newFile();
    writeFileSync(out, "kept");
    expect(await errorLine([...exporting(as, out), "--stack", "s"])).toContain("exists already");
    expect(readFileSync(out, "utf8")).toBe("kept");
    const organization = { workspace: as.apiKey, organizationId };
    const head = (await Activity.head(organization)) as Activity.ChainHead;
    const lines = exportedLines(organization, { ...head, sequence: 6 });
    await expect(Array.fromAsync(lines)).rejects.toBeInstanceOf(LogGoneError);
  });

  it("refuses an organization without a log", async () => {
    const as = await newLog();
    expect(await errorLine([...exporting(as, newFile()), "--stack", "s"])).toContain("has no activity log");
  });
});

describe("activities verify", () => {
  async function exported() {
    const as = await logOfFive();
    const [out, jwks] = [newFile(), newFile("keys.json")];
    await onStack(exporting(as, out));
    const { checkpoint } = await must(activitiesCheckpointGet, { as, data: { organizationId } });
    const { body } = await call(jwksRecordsGet, { pathParameters: { apiKey: as.apiKey } });
    writeFileSync(jwks, JSON.stringify(body));
    return { as, out, checkpoint, jwks };
  }

  it("ends with 0 for a log as it was written, and needs neither a folder nor a stack", async () => {
    const { out, checkpoint, jwks } = await exported();
    const { status, stdout } = await run(["activities", "verify", out, "--checkpoint", checkpoint, "--jwks", jwks]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining("checkpoint of record 5") });
    const { stdout: json } = await run(["activities", "verify", out, "--json"]);
    expect(JSON.parse(json)).toMatchObject({ verified: true, records: 5, textsRemoved: 0, organizationId });
    expect((await run(["activities", "verify", out])).stdout).toContain("Without --checkpoint");
    const twice = ["--checkpoint", checkpoint, "--checkpoint", checkpoint, "--jwks", jwks, "--json"];
    const { checkpoints } = JSON.parse((await run(["activities", "verify", out, ...twice])).stdout);
    expect(checkpoints).toMatchObject([{ sequence: 5 }, { sequence: 5 }]);
  });

  it("ends with 2 for a log that is not, and names the record", async () => {
    const { out, checkpoint, jwks } = await exported();
    const lines = readFileSync(out, "utf8");
    writeFileSync(out, lines.slice(0, lines.lastIndexOf("\n", lines.length - 2) + 1));
    expect((await run(["activities", "verify", out])).status).toBe(0);
    const { status, stdout } = await run(["activities", "verify", out, "--checkpoint", checkpoint, "--jwks", jwks]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: expect.stringContaining("ends after record 4") });
    writeFileSync(out, lines.replace("document.add", "document.end"));
    const changed = await run(["activities", "verify", out, "--json"]);
    expect(changed.status).toBe(2);
    expect(JSON.parse(changed.stdout)).toMatchObject({ verified: false, what: "changed", sequence: 3, line: 3 });
  });

  it("ends with 2 for bytes that are no UTF-8, and for an export that was cut off", async () => {
    const { out } = await exported();
    const bytes = readFileSync(out);
    writeFileSync(out, bytes.subarray(0, -1));
    const { status, stdout } = await run(["activities", "verify", out]);
    expect({ status, stdout }).toEqual({
      status: 2,
      stdout: expect.stringContaining("Line 5 does not end with a line"),
    });
    writeFileSync(out, Buffer.concat([bytes, Buffer.from([0xff, 0x0a])]));
    expect(await run(["activities", "verify", out])).toMatchObject({
      status: 2,
      stdout: expect.stringContaining("Line 6"),
    });
  });

  it("ends with 1 if it could not check: a missing file, a checkpoint without keys or of other keys", async () => {
    const { out, checkpoint, jwks } = await exported();
    const other = await exported();
    const refused = (...args: string[]) => errorLine(["activities", "verify", ...args]);
    expect(await refused(newFile())).toContain("cannot be read");
    expect(await refused(out, "--checkpoint", checkpoint)).toContain("together");
    expect(await refused(out, "--checkpoint", checkpoint, "--jwks", newFile())).toContain("has no keys");
    expect(await refused(out, "--checkpoint", other.checkpoint, "--jwks", jwks)).toContain("was not signed");
    expect(await refused(out, "--checkpoint", "x", "--jwks", jwks)).toContain("was not signed");
  });
});

describe("linesOf", () => {
  const lines = (...chunks: (string | number[])[]) => {
    const bytes = chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : Uint8Array.from(chunk)));
    return Array.fromAsync(
      linesOf(
        (async function* () {
          yield* bytes;
        })(),
      ),
    );
  };

  it("ends a line at a line feed only, wherever the chunks end", async () => {
    expect(await lines("a\u2028b\n", "c", "d\n\ne\n")).toEqual(["a\u2028b\n", "cd\n", "\n", "e\n"]);
    expect(await lines([0x61, 0xc3], [0xa9, 0x0a])).toEqual(["aé\n"]);
    expect(await lines("a\nb")).toEqual(["a\n", "b"]);
    expect(await lines("\ufeffa\r\n")).toEqual(["\ufeffa\r\n"]);
    expect(await lines()).toEqual([]);
  });

  it("reads undefined for a line that is not UTF-8, or longer than any record, and goes on", async () => {
    expect(await lines("a\n", [0xff, 0x0a], "b\n")).toEqual(["a\n", undefined, "b\n"]);
    expect(await lines("a\n", [0xe2, 0x82])).toEqual(["a\n", undefined]);
    const part = "x".repeat(1_500_000);
    expect(await lines(part, part, part, part, "\nb\n", part, part, part)).toEqual([undefined, "b\n", undefined]);
  });
});

describe("activities unlock", () => {
  it("unsets immutable once, and the writers of all logs record it", async () => {
    const as = await newLog({ isEnabled: true, immutable: true });
    await append(as);
    const unlock = ["activities", "unlock", "--workspace", as.apiKey] as const;
    expect(await onStack(unlock)).toEqual({ wasImmutable: true });
    expect(await onStack(unlock)).toEqual({ wasImmutable: false });
    await append(as);
    expect((await chainOf(as)).map(({ record }) => JSON.parse(record).eventType)).toEqual([
      "activity.configure",
      "organization.add",
      "activity.unlock",
    ]);
  });
});
