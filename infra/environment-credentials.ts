// Stands for @aws-sdk/credential-provider-node in bundles. Lambda puts a function's credentials into its environment;
// the profile, SSO, STS and metadata chains would only be weight to load.
export const defaultProvider = () => async () => ({
  accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? "",
  secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? "",
  sessionToken: process.env.AWS_SESSION_TOKEN,
});
