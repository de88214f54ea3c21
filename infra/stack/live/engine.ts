// Live messages go through AWS AppSync Events. Functions publish in `doc` and `user`, by their roles. Pages subscribe with
// tickets, and publish in `aware` only.
import { readFileSync } from "node:fs";
import { Duration } from "aws-cdk-lib";
import { AppSyncAuthorizationType, AppSyncEventResource, Code, EventApi } from "aws-cdk-lib/aws-appsync";
import type { Function as Lambda } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";

export interface LiveEngine {
  httpUrl: string;
  realtimeUrl: string;
  /** Where functions may publish. */
  publishArns: string[];
}

const { IAM, LAMBDA } = AppSyncAuthorizationType;
const namespaces = { doc: [IAM], user: [IAM], aware: [LAMBDA] };

/** `authorizer`: the function that decides by tickets. */
export function addLiveEngine(scope: Construct, apiName: string, authorizer: Lambda): LiveEngine {
  const api = new EventApi(scope, "live", {
    apiName,
    authorizationConfig: {
      authProviders: [
        { authorizationType: IAM },
        {
          authorizationType: LAMBDA,
          // AppSync would keep a decision for the ticket, and use it for other channels.
          lambdaAuthorizerConfig: { handler: authorizer, resultsCacheTtl: Duration.seconds(0) },
        },
      ],
      connectionAuthModeTypes: [LAMBDA],
      defaultPublishAuthModeTypes: [IAM],
      defaultSubscribeAuthModeTypes: [LAMBDA],
    },
  });
  for (const [name, publishAuthModeTypes] of Object.entries(namespaces)) {
    api.addChannelNamespace(name, {
      authorizationConfig: { publishAuthModeTypes, subscribeAuthModeTypes: [LAMBDA] },
      ...(name === "aware" && { code: Code.fromInline(awareCode()) }),
    });
  }
  return {
    httpUrl: `https://${api.httpDns}/event`,
    realtimeUrl: `wss://${api.realtimeDns}/event/realtime`,
    publishArns: ["doc", "user"].flatMap((name) => AppSyncEventResource.ofChannelNamespace(name).resourceArns(api)),
  };
}

const awareCode = () => readFileSync(new URL("aware-on-publish.js", import.meta.url), "utf8");
