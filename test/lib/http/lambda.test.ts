import { GenerateDataKeyCommand } from "@aws-sdk/client-kms";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { BusyError } from "../../../lib/dynamodb/busy.ts";
import { ConflictError } from "../../../lib/dynamodb/retry-on-conflict.ts";
import { ApiError } from "../../../lib/errors.ts";
import { type Endpoint, type EndpointSpec, endpoint } from "../../../lib/http/endpoint.ts";
import { lambda } from "../../../lib/http/lambda.ts";
import { purposes, seal } from "../../../lib/secrets.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { contextOf, eventOf } from "../../support/call.ts";
import { logs, logText } from "../../support/capture-logs.ts";

const spec = {
  name: "sample",
  path: "/sample",
  summary: "A sample.",
  credentials: "none",
  grants: [],
  data: z.object({}),
  reply: z.unknown(),
  message: "Done.",
} as const;

type Sample = Partial<EndpointSpec<z.ZodMiniType, z.ZodMiniType>>;

async function replyOf(handle: () => Promise<unknown>, more: Sample = {}, remainingMs?: number) {
  const declared = endpoint({ ...spec, ...more, handle }) as Endpoint;
  const reply = await lambda(declared)(eventOf(declared, {}) as never, contextOf(declared.name, remainingMs) as never);
  return { http: reply.statusCode, headers: reply.headers, ...JSON.parse(reply.body) };
}

const thrown = (name: string, more: object = {}) => Object.assign(new Error("inner detail"), { name, ...more });
const failing = (error: unknown) => () => Promise.reject(error);
const neverEnding = () => new Promise<never>(() => {});

afterEach(() => void vi.useRealTimers());

describe("UNAVAILABLE", () => {
  const busy = [
    thrown("ThrottlingException"),
    thrown("ProvisionedThroughputExceededException"),
    thrown("RequestLimitExceeded"),
    thrown("TimeoutError"),
    thrown("TransactionConflictException"),
    thrown("InternalServerError", { $metadata: { httpStatusCode: 500 } }),
    thrown("ServiceUnavailable"),
    thrown("KMSInternalException"),
    thrown("KeyUnavailableException"),
    thrown("Error", { code: "ECONNRESET" }),
    new BusyError("The table left 3 requests unprocessed."),
    thrown("Whatever", { $retryable: { throttling: true } }),
  ];
  it.each(busy)("is the status when AWS is busy: $name", async (error) => {
    const { http, error: shown } = await replyOf(failing(error));
    expect({ http, ...shown }).toEqual({
      http: 503,
      status: "UNAVAILABLE",
      message: "The service is busy. Try again.",
    });
    expect(logs()).toMatchObject([{ status: "UNAVAILABLE", cause: { name: error.name } }]);
  });

  it("is the status when other calls change the item before every attempt", async () => {
    const { http, error: shown } = await replyOf(failing(new ConflictError("The thing changed at each attempt.")));
    expect({ http, ...shown }).toEqual({
      http: 503,
      status: "UNAVAILABLE",
      message: "Other calls are changing the same data. Try again.",
    });
    expect(logs()).toMatchObject([{ status: "UNAVAILABLE", cause: { name: "ConflictError" } }]);
  });

  it("is the status when the SDK throws DynamoDB's throttling error", async () => {
    const aws = mockAws();
    aws.dynamo.on(GetCommand).rejects(thrown("ThrottlingException"));
    const { http } = await replyOf(() => Workspace.get({ workspace: "w" }));
    expect(http).toBe(503);
    aws.restore();
  });

  it("is the status when KMS throws its own failure", async () => {
    const aws = mockAws();
    aws.kms.on(GenerateDataKeyCommand).rejects(thrown("KMSInternalException"));
    const { http } = await replyOf(() => seal("text", { workspace: "w", purpose: purposes.webhookSecret }));
    expect(http).toBe(503);
    aws.restore();
  });
});

describe("INTERNAL", () => {
  it.each([thrown("TypeError"), "a text", null, undefined, 0])("hides the thrown value: %s", async (error) => {
    const { http, error: shown, headers } = await replyOf(failing(error));
    const message = `Something went wrong on our side. Request id: ${headers["x-request-id"]}.`;
    expect({ http, ...shown }).toEqual({ http: 500, status: "INTERNAL", message });
  });

  it("is the status when a handler throws before its first await", async () => {
    const reply = await replyOf(() => {
      throw thrown("TypeError");
    });
    expect(reply.http).toBe(500);
  });

  it("logs the cause once, with its own causes", async () => {
    await replyOf(failing(new Error("outer", { cause: thrown("Inner") })));
    expect(logs()).toMatchObject([{ level: "error", cause: { name: "Error", cause: { name: "Inner" } } }]);
  });
});

describe("DEADLINE_EXCEEDED", () => {
  it("ends a call 250 ms before Lambda's timeout", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let reply: Awaited<ReturnType<typeof replyOf>> | undefined;
    const replied = replyOf(neverEnding, { timeoutSeconds: 20 }, 3_000).then((each) => {
      reply = each;
    });
    await vi.advanceTimersByTimeAsync(2_749);
    expect(reply).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await replied;
    expect(reply).toMatchObject({ http: 504, error: { status: "DEADLINE_EXCEEDED" } });
  });

  it("ends a call at its declared timeout when Lambda allows more", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const replied = replyOf(neverEnding, { timeoutSeconds: 2 }, 900_000);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await replied).toMatchObject({ http: 504 });
  });

  it("aborts requests to the store that are in flight", async () => {
    const aws = mockAws();
    aws.dynamo.on(GetCommand).callsFake(neverEnding);
    const replied = replyOf(() => Workspace.get({ workspace: "w" }), {}, 300);
    expect(await replied).toMatchObject({ http: 504 });
    const [, options] = (aws.dynamo.calls()[0]?.args ?? []) as unknown as [object, { abortSignal: AbortSignal }];
    expect(options.abortSignal.aborted).toBe(true);
    aws.restore();
  });

  it("leaves no timer after a call that ends in time", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await replyOf(async () => 1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("an ApiError", () => {
  it("is returned with its message and details, and its cause is neither returned nor logged", async () => {
    const error = new ApiError("NOT_FOUND", "No such thing.", { details: { a: 1 }, cause: new Error("inner detail") });
    const reply = await replyOf(failing(error), { errors: ["NOT_FOUND"] });
    expect(reply.error).toEqual({ status: "NOT_FOUND", message: "No such thing.", details: { a: 1 } });
    expect(logText()).not.toContain("inner detail");
  });

  it.fails("with an undeclared status fails the test that causes it", async () => {
    await replyOf(failing(new ApiError("ALREADY_EXISTS", "There is one.")));
  });
});

describe("the reply", () => {
  it("over 6 MB is refused, with advice", async () => {
    const reply = await replyOf(async () => ["é".repeat(3 * 1_024 * 1_024)]);
    expect(reply).toMatchObject({
      http: 400,
      error: { status: "INVALID_ARGUMENT", message: expect.stringContaining("Request fewer items") },
    });
  });
});
