// The environment that makes the AWS SDK of the functions call the engines on this machine.

const region = "us-east-1";
const credentials = { accessKeyId: "local", secretAccessKey: "local" };

/** The SDK requires a region and credentials. The engines ignore both. */
export const placeholderAccess = { region, credentials };

export const tableName = "collaboration";
export const keyAlias = "alias/local";

export const fileBucket = "files";

export interface Endpoints {
  dynamodb: string;
  kms: string;
  s3: string;
  sqs?: string;
}

/** Sets the environment as a deployment does. Removes the user's own session token, profile and endpoints. */
export function pointAtLocal({ dynamodb, kms, s3, sqs }: Endpoints): void {
  for (const name of ["AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_ENDPOINT_URL", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"]) {
    delete process.env[name];
  }
  Object.assign(process.env, {
    // As in Lambda: a time without an offset is in UTC.
    TZ: "UTC",
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    AWS_ENDPOINT_URL_KMS: kms,
    AWS_ENDPOINT_URL_S3: s3,
    ...(sqs && { AWS_ENDPOINT_URL_SQS: sqs }),
    TABLE_NAME: tableName,
    KMS_KEY_ID: keyAlias,
    FILE_BUCKET: fileBucket,
    SWEEP_GRACE_SECONDS: "5",
    // Short, so that a developer sees the purge soon. A later pass deletes what calls in flight wrote after it.
    PURGE_START_SECONDS: "5",
  });
}
