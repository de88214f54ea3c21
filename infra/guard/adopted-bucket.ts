// Whether an adopted bucket keeps uploaded files as one of the stack would: for a time, and closed to the public. The
// functions delete no upload, so without a rule of the bucket, files stay for ever.
import {
  GetBucketLifecycleConfigurationCommand,
  type GetBucketLifecycleConfigurationCommandOutput,
  GetBucketVersioningCommand,
  GetPublicAccessBlockCommand,
  type GetPublicAccessBlockCommandOutput,
  HeadBucketCommand,
  type LifecycleRule,
  type PublicAccessBlockConfiguration,
  S3Client,
} from "@aws-sdk/client-s3";
import { keptDays } from "../../lib/retention.ts";

const days = keptDays.ingestRun;

/** Returns a sentence for each defect, with the command that mends it. */
export async function defectsOfBucket(Bucket: string): Promise<string[]> {
  const client = new S3Client({});
  try {
    await client.send(new HeadBucketCommand({ Bucket }));
    const [{ Rules: rules = [] }, { Status }, { PublicAccessBlockConfiguration: block }] = await Promise.all([
      client
        .send(new GetBucketLifecycleConfigurationCommand({ Bucket }))
        .catch(noneIf<GetBucketLifecycleConfigurationCommandOutput>("NoSuchLifecycleConfiguration")),
      client.send(new GetBucketVersioningCommand({ Bucket })),
      client
        .send(new GetPublicAccessBlockCommand({ Bucket }))
        .catch(noneIf<GetPublicAccessBlockCommandOutput>("NoSuchPublicAccessBlockConfiguration")),
    ]);
    const isExpiring = expires(rules) && (Status === undefined || expiresVersions(rules));
    return [
      ...(isExpiring ? [] : [lifecycleDefect(Bucket, rules)]),
      ...(isClosed(block) ? [] : [publicDefect(Bucket)]),
    ];
  } finally {
    client.destroy();
  }
}

/** S3 has an error for what is not configured. */
function noneIf<Output>(name: string): (thrown: Error) => Partial<Output> {
  return (thrown) => {
    if (thrown.name !== name) throw thrown;
    return {};
  };
}

const expires = (rules: readonly LifecycleRule[]) =>
  rules.some((rule) => isOfAll(rule) && rule.Expiration?.Days === days);

/** In a bucket with versions, an expired file is hidden, and its version stays. */
const expiresVersions = (rules: readonly LifecycleRule[]) =>
  rules.some((rule) => isOfAll(rule) && rule.NoncurrentVersionExpiration !== undefined);

function isOfAll({ Status, Prefix = "", Filter = {} }: LifecycleRule): boolean {
  return Status === "Enabled" && Prefix === "" && Object.values(Filter).every((each) => each === "");
}

function isClosed(block: PublicAccessBlockConfiguration = {}): boolean {
  const { BlockPublicAcls, IgnorePublicAcls, BlockPublicPolicy, RestrictPublicBuckets } = block;
  return [BlockPublicAcls, IgnorePublicAcls, BlockPublicPolicy, RestrictPublicBuckets].every((each) => each === true);
}

function lifecycleDefect(bucket: string, rules: readonly LifecycleRule[]): string {
  const rule = {
    ID: "uploads",
    Status: "Enabled",
    Filter: { Prefix: "" },
    Expiration: { Days: days },
    NoncurrentVersionExpiration: { NoncurrentDays: 1 },
    AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
  };
  const others = rules.length === 0 ? "" : ` (this replaces its other rules)`;
  return `The bucket ${bucket} does not delete files after ${days} days. Run${others}: aws s3api put-bucket-lifecycle-configuration --bucket ${bucket} --lifecycle-configuration '${JSON.stringify({ Rules: [rule] })}'`;
}

function publicDefect(bucket: string): string {
  const all = "BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true";
  return `The bucket ${bucket} does not block public access. Run: aws s3api put-public-access-block --bucket ${bucket} --public-access-block-configuration ${all}`;
}
