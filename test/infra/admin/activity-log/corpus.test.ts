// The command tells honest logs from tampered ones. infra/examples/verify.py runs on the same files in
// test/readme-activity.engines.test.ts.
import { expect, it } from "vitest";
import { verifyLog } from "../../../../infra/admin/activity-log/verify.ts";
import { linesOf } from "../../../../infra/admin/lines.ts";
import { honestLogs, tamperedLogs } from "../../../support/activity-corpus.ts";

/** Whether the command says that the log is as it was written. */
async function isVerified(bytes: Buffer): Promise<boolean> {
  async function* whole() {
    yield bytes;
  }
  return "verified" in (await verifyLog(linesOf(whole())));
}

it.each(honestLogs)("verifies a log $name", async ({ bytes }) => {
  expect(await isVerified(bytes)).toBe(true);
});

it.each(tamperedLogs)("refuses a log with: $name", async ({ bytes }) => {
  expect(await isVerified(bytes)).toBe(false);
});

it("names each log once", () => {
  const names = [...honestLogs, ...tamperedLogs].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
