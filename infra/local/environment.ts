// What makes the functions, which know only AWS, speak to the engines of this machine.

const region = "us-east-1";
const credentials = { accessKeyId: "local", secretAccessKey: "local" };

/** For SDK clients of ours. The engines check neither; the SDK wants both. */
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

/** Sets the environment as a deployment would. A session token or profile of the user's own must not get in. */
export function pointAtLocal({ dynamodb, kms, s3, sqs }: Endpoints): void {
  for (const name of ["AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_ENDPOINT_URL", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"]) {
    delete process.env[name];
  }
  Object.assign(process.env, {
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
    // Who tries things out wants to see them done. What a call writes later than this would only be left lying.
    PURGE_START_SECONDS: "5",
  });
}
