import { authorizer, authorizerLambda } from "../../lib/jobs/worker-lambda.ts";
import { authorize } from "../../lib/live/authorize.ts";

export const liveAuthorize = authorizer({
  name: "live-authorize",
  summary: "Decides by tickets which pages may subscribe to live messages.",
  grants: ["table:read"],
  timeoutSeconds: 10,

  decide: authorize,
});
export const handler = authorizerLambda(liveAuthorize);
