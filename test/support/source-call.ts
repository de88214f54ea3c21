// Calls an endpoint's source in this process, so that a test can intercept its calls to AWS.
import type { Endpoint } from "../../lib/http/endpoint.ts";
import type { Handler } from "../../lib/http/lambda.ts";
import { type Credentials, contextOf, eventOf } from "./call.ts";
import { inContainer } from "./exact/containers.ts";

/** The exports of an endpoint's file. */
export type EndpointSource = { handler: Handler } & Record<string, unknown>;

interface SourceReply {
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  data: any;
  /** Of a failure. */
  status?: string;
  message?: string;
}

export async function callSource(
  { handler, ...exports }: EndpointSource,
  as: Credentials,
  data: object,
): Promise<SourceReply> {
  const endpoint = Object.values(exports).find((each) => (each as Partial<Endpoint>).path) as Endpoint;
  const event = eventOf(endpoint, { as, data });
  const { body } = await inContainer(endpoint, () => handler(event as never, contextOf(endpoint.name) as never));
  const { result, error } = JSON.parse(body);
  return { data: result?.data, status: error?.status, message: error?.message };
}
