// Replaces @aws-sdk/credential-provider-node in bundles. Lambda puts the credentials into the environment, so the
// providers for profiles, SSO, STS and instance metadata would only make the bundle larger.
export const defaultProvider = () => async () => ({
  accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? "",
  secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? "",
  sessionToken: process.env.AWS_SESSION_TOKEN,
});
