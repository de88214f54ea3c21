import { App } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { describe, expect, test } from "vitest";
import { fakes, notFound } from "../../support/fake-functions.ts";
import { synth } from "../../support/synth.ts";

const { all, lambda, resources, stack, template } = synth(fakes);

describe("functions", () => {
  test("run Node 24 on arm64 with the declared memory and timeout, plus 1 s for an endpoint", () => {
    for (const each of fakes) {
      expect(lambda(each)).toMatchObject({
        Runtime: "nodejs24.x",
        Architectures: ["arm64"],
        Handler: "index.handler",
        MemorySize: each.memoryMb,
        Timeout: each.kind === "endpoint" ? each.timeoutSeconds + 1 : each.timeoutSeconds,
        LoggingConfig: { LogFormat: "JSON" },
      });
    }
  });

  test("have the name of the service, and of exactly the table, key, bucket and queues that their grants need", () => {
    const variables = Object.fromEntries(
      fakes.map((each) => [each.name, Object.keys(lambda(each).Environment?.Variables ?? {}).sort()]),
    );
    expect(variables).toEqual({
      "documents-delete": ["KMS_KEY_ID", "QUEUE_URL_PURGE", "SERVICE_NAME", "TABLE_NAME"],
      "token-generate": ["KMS_KEY_ID", "SERVICE_NAME", "TABLE_NAME"],
      "not-found": ["SERVICE_NAME"],
      purge: ["FILE_BUCKET", "QUEUE_URL_PURGE", "SERVICE_NAME", "TABLE_NAME"],
      sweeper: ["SERVICE_NAME", "TABLE_NAME"],
    });
  });

  test("have the operator's settings", () => {
    const set = synth(fakes, {
      egressAllowCidrs: "10.0.0.0/8,fd00::/8",
      vpcSubnetIds: "subnet-0a1b2c3d",
      vpcSecurityGroupIds: "sg-0a1b2c3d",
      aiOrigins: "https://ai.example.com,https://ai.example.com:8443",
      permissionProviderOrigins: "none",
      sendGridBaseUrl: "https://api.eu.sendgrid.com",
      slackBaseUrl: "https://slack.example.com/api",
      tokenIssuer: "https://id.example.com",
      workspaceCallsPerSecond: 50,
      webhookEndpointsMax: 10,
      notificationRetentionDays: 90,
    });
    expect(set.lambda(notFound).Environment.Variables).toEqual({
      EGRESS_ALLOW_CIDRS: "10.0.0.0/8,fd00::/8",
      AI_ORIGINS: "https://ai.example.com,https://ai.example.com:8443",
      NOTIFICATION_RETENTION_DAYS: "90",
      PERMISSION_PROVIDER_ORIGINS: "none",
      SENDGRID_BASE_URL: "https://api.eu.sendgrid.com",
      SERVICE_NAME: "collaboration-backend",
      SLACK_BASE_URL: "https://slack.example.com/api",
      TOKEN_ISSUER: "https://id.example.com",
      WEBHOOK_ENDPOINTS_MAX: "10",
      WORKSPACE_CALLS_PER_SECOND: "50",
    });
  });

  test("include a sweeper that runs every minute", () => {
    template.hasResourceProperties("AWS::Events::Rule", { ScheduleExpression: "rate(1 minute)", State: "ENABLED" });
  });
});

describe("storage", () => {
  const [[, properties] = []] = all("AWS::DynamoDB::GlobalTable");

  test("has a table on demand with recovery, expiry by ttl and the index of due jobs", () => {
    expect(properties).toMatchObject({
      BillingMode: "PAY_PER_REQUEST",
      TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
      Replicas: [
        { DeletionProtectionEnabled: true, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
      ],
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: "sweep",
          KeySchema: [
            { AttributeName: "due", KeyType: "HASH" },
            { AttributeName: "sweepAt", KeyType: "RANGE" },
          ],
        },
      ],
    });
  });

  test("has a key that rotates, and retains key and table when the stack is deleted", () => {
    const kept = { DeletionPolicy: "RetainExceptOnCreate", UpdateReplacePolicy: "Retain" };
    template.hasResource("AWS::KMS::Key", { Properties: { EnableKeyRotation: true }, ...kept });
    template.hasResource("AWS::DynamoDB::GlobalTable", { DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain" });
  });

  test("has files that are private, encrypted, reached by TLS only and deleted after 30 days", () => {
    const [[, bucket] = []] = all("AWS::S3::Bucket");
    expect(bucket).toMatchObject({
      BucketEncryption: { ServerSideEncryptionConfiguration: [{}] },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      LifecycleConfiguration: { Rules: [{ ExpirationInDays: 30, Status: "Enabled" }] },
    });
    expect(JSON.stringify(all("AWS::S3::BucketPolicy"))).toContain('{"Bool":{"aws:SecureTransport":"false"}}');
    template.hasResource("AWS::S3::Bucket", { DeletionPolicy: "RetainExceptOnCreate" });
  });

  test("is not left by a first deployment that fails, except for the protected table", () => {
    const left = resources.filter(([, each]) => Object(each).DeletionPolicy === "Retain").map(([, { Type }]) => Type);
    expect(left).toEqual(["AWS::DynamoDB::GlobalTable"]);
  });

  test("is deleted with a development stack", () => {
    const policies = synth(fakes, { development: true }).resources.map(([, each]) => Object(each).DeletionPolicy);
    expect(policies.filter((policy) => /Retain/.test(policy))).toEqual([]);
  });
});

describe("the API", () => {
  test("has an access log without headers, bodies, queries and paths", () => {
    const [[, stage] = []] = all("AWS::ApiGatewayV2::Stage");
    const { Format } = stage.AccessLogSettings;
    const line = JSON.parse(Format.replace("$context.error.messageString", JSON.stringify('no "x"')));
    expect(Object.keys(line)).toContain("latencyMs");
    // The reply's header `x-request-id`, and the id of Lambda's own log lines.
    expect(line).toMatchObject({
      correlation_id: "$context.requestId",
      function_request_id: "$context.integration.requestId",
      error: 'no "x"',
    });
    expect(Format).not.toMatch(/context\.(path|identity|authorizer)|header|body|query/i);
  });

  test("is throttled as a whole, at the limits of the settings", () => {
    const [[, stage] = []] = synth(fakes, { throttleRequestsPerSecond: 7, throttleBurst: 9 }).all(
      "AWS::ApiGatewayV2::Stage",
    );
    expect(stage).toMatchObject({
      AutoDeploy: true,
      StageName: "$default",
      DefaultRouteSettings: { ThrottlingRateLimit: 7, ThrottlingBurstLimit: 9 },
    });
  });
});

describe("the template", () => {
  test("has the outputs that the administration command and an operator read", () => {
    expect(Object.keys(template.toJSON().Outputs).sort()).toEqual([
      "AccessLogs",
      "ApiUrl",
      "BucketName",
      "EndpointLogs",
      "KeyArn",
      "KeyId",
      "QueueUrlPurge",
      "ReleaseAlarms",
      "TableName",
      "WorkerLogs",
    ]);
  });

  test("has the cell as an output only in a cell, and nothing else of it", () => {
    const { template: cell } = synth(fakes, { cell: "eu1" });
    const { Cell, ...outputs } = cell.toJSON().Outputs;
    expect(Cell).toEqual({ Value: "eu1" });
    expect({ ...cell.toJSON(), Outputs: outputs }).toEqual(template.toJSON());
  });

  test("has no text that looks like a secret, and no parameter except CDK's own", () => {
    expect(Object.keys(template.toJSON().Parameters ?? {})).toEqual(["BootstrapVersion"]);
    expect(JSON.stringify(resources)).not.toMatch(
      /secretsmanager|NoEcho|password|PRIVATE KEY|AKIA[0-9A-Z]{16}|sk-[a-z0-9]/i,
    );
  });

  test("passes AWS's solutions checks", () => {
    const report = new AwsSolutionsChecks(new App()).validateScope(stack);
    expect(report.violations.map(({ ruleName, violatingResources }) => [ruleName, violatingResources])).toEqual([]);
  });
});
