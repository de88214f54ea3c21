// A receipt is verified without the service, by infra/examples/receipt.mjs.
import { expect, it } from "vitest";
import { jobsStatus } from "../../../functions/jobs/jobs-status.ts";
import { jwksRecordsGet } from "../../../functions/user-tokens/jwks-records-get.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { call, must } from "../../support/call.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { newDocument } from "../../support/feature-data.ts";

fakeDates();

interface Verifier {
  readReceipt(receipt: string, keys: unknown): { salt: string; users: string[]; jobId: string };
  isAbout(receipt: object, userId: string): boolean;
}

const example = new URL("../../../infra/examples/receipt.mjs", import.meta.url).href;

it("the example reads a genuine receipt, finds its users, and refuses a changed one and other keys", async () => {
  const [as, other] = [await newDocument(), await newDocument()];
  const receiptOf = async (apiKey: string, userId: string) => {
    const jobId = await beginErasure(apiKey, { userIds: [userId] });
    await erased(jobId);
    const { receipt } = await must(jobsStatus, { as: apiKey === as.apiKey ? as : other, data: { jobId } });
    const { body } = await call(jwksRecordsGet, { pathParameters: { apiKey } });
    return { jobId, receipt: receipt as string, keys: body.keys };
  };
  const { readReceipt, isAbout } = (await import(/* @vite-ignore */ example)) as Verifier;
  const own = await receiptOf(as.apiKey, "u");
  const record = readReceipt(own.receipt, own.keys);
  expect(record.jobId).toBe(own.jobId);
  expect([isAbout(record, "u"), isAbout(record, "v")]).toEqual([true, false]);
  const theirs = await receiptOf(other.apiKey, "v");
  expect(() => readReceipt(own.receipt, theirs.keys)).toThrow("not of this workspace");
  const [head, , signature] = own.receipt.split(".");
  const [, foreign] = theirs.receipt.split(".");
  expect(() => readReceipt([head, foreign, signature].join("."), own.keys)).toThrow("changed");
  for (const added of [".x", "=", "!", "\n"])
    expect(() => readReceipt(own.receipt + added, own.keys)).toThrow("changed");
});
