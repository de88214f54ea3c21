import {
  GetBucketLifecycleConfigurationCommand,
  GetBucketVersioningCommand,
  GetPublicAccessBlockCommand,
  type LifecycleRule,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { keptDays } from "../../../lib/retention.ts";
import {
  adoption,
  adopts,
  closed,
  mockGuard,
  passed,
  runGuard,
  s3,
  templateOf,
  uploadsRule,
} from "../../support/guard.ts";

mockGuard();
const next = templateOf(adoption);
const hasRules = (...Rules: LifecycleRule[]) => s3.on(GetBucketLifecycleConfigurationCommand).resolves({ Rules });
const named = (name: string) => Object.assign(new Error("none"), { name });
const remedy = `aws s3api put-bucket-lifecycle-configuration --bucket earlier-files --lifecycle-configuration '{"Rules":[{"ID":"uploads","Status":"Enabled","Filter":{"Prefix":""},"Expiration":{"Days":30},"NoncurrentVersionExpiration":{"NoncurrentDays":1},"AbortIncompleteMultipartUpload":{"DaysAfterInitiation":1}}]}'`;

test("a bucket without rules and without a block of public access is refused, with the commands that set both", async () => {
  adopts();
  s3.on(GetBucketLifecycleConfigurationCommand).rejects(named("NoSuchLifecycleConfiguration"));
  s3.on(GetPublicAccessBlockCommand).rejects(named("NoSuchPublicAccessBlockConfiguration"));
  const { status, stderr } = await runGuard({ s: next });
  expect(status).toBe(1);
  expect(stderr.split("\n").slice(1, -1)).toEqual([
    `- The bucket earlier-files does not delete files after 30 days. Run: ${remedy}`,
    "- The bucket earlier-files does not block public access. Run: aws s3api put-public-access-block --bucket earlier-files --public-access-block-configuration BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true",
  ]);
});

test.each([
  ["is disabled", { ...uploadsRule, Status: "Disabled" }],
  ["is for some files", { ...uploadsRule, Filter: { Prefix: "logs/" } }],
  ["is for files with a tag", { ...uploadsRule, Filter: { Tag: { Key: "a", Value: "b" } } }],
  ["is for some files, in the former form", { ...uploadsRule, Prefix: "logs/" }],
  ["deletes later", { ...uploadsRule, Expiration: { Days: 31 } }],
] satisfies [string, LifecycleRule][])(
  "a rule is refused that %s, and the command says what it replaces",
  async (_, rule) => {
    adopts();
    hasRules(rule);
    const { stderr } = await runGuard({ s: next });
    expect(stderr).toContain(`does not delete files after 30 days. Run (this replaces its other rules): ${remedy}\n`);
  },
);

test("a rule for all files passes, in each form that S3 has for it", async () => {
  for (const form of [{ Filter: {} }, { Filter: { Prefix: "" } }, { Prefix: "" }]) {
    adopts();
    hasRules({ ...uploadsRule, ...form, Expiration: { Days: keptDays.ingestRun } });
    expect(await runGuard({ s: next })).toEqual(passed);
  }
});

test("a bucket with versions needs a rule for them too", async () => {
  adopts();
  s3.on(GetBucketVersioningCommand).resolves({ Status: "Suspended" });
  expect(await runGuard({ s: next })).toMatchObject({ status: 1, stderr: expect.stringContaining(remedy) });
  hasRules({ ...uploadsRule, NoncurrentVersionExpiration: { NoncurrentDays: 1 } });
  expect(await runGuard({ s: next })).toEqual(passed);
});

test("a block that leaves something open is refused, and so is a bucket that cannot be read", async () => {
  adopts();
  const PublicAccessBlockConfiguration = { ...closed, RestrictPublicBuckets: false };
  s3.on(GetPublicAccessBlockCommand).resolves({ PublicAccessBlockConfiguration });
  expect((await runGuard({ s: next })).stderr).toContain("does not block public access");
  s3.on(GetPublicAccessBlockCommand).rejects(named("AccessDenied"));
  expect((await runGuard({ s: next })).stderr).toContain("The bucket earlier-files cannot be read: AccessDenied: none");
});
