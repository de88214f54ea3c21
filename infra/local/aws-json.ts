// An HTTP server for AWS's JSON protocols: a header names the operation, and input and output are JSON.
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { jsonIn } from "../../lib/json.ts";
import { listen, privateHttpServer } from "./listen.ts";
import { readBody } from "./read-body.ts";

/** An error that the client receives with this type, as from AWS. */
export class AwsError extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

/** An error that the client did not cause. The same request can succeed later. */
export class ServerFault extends AwsError {}

/** Operations by name. The types of an operation's input and output are not checked. */
// biome-ignore lint/suspicious/noExplicitAny: see above.
export type Operations = Record<string, (input: any) => object | Promise<object>>;

const bodyBytesMax = 4 * 1_024 * 1_024;

export interface LocalService {
  endpoint: string;
  close(): Promise<void>;
}

/** Serves the operations. X-Amz-Target names the operation after its dot. */
export async function serveAwsJson(operations: Operations, contentType: string): Promise<LocalService> {
  const server = privateHttpServer(async (request, response) => {
    const { status, body } = await respond(operations, request);
    const headers = { "content-type": contentType, "x-amzn-requestid": randomUUID() };
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  const { url, close } = await listen(server, 0);
  return { endpoint: url, close };
}

async function respond(operations: Operations, request: IncomingMessage): Promise<{ status: number; body: object }> {
  try {
    const [, name = ""] = String(request.headers["x-amz-target"]).split(".");
    const body = await readBody(request, bodyBytesMax);
    if (!body) throw new AwsError("RequestEntityTooLargeException", "The body is too large.");
    const input = jsonIn(body.toString() || "{}");
    if (input === undefined) throw new AwsError("SerializationException", "The body is not JSON.");
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (!operation)
      throw new AwsError("UnknownOperationException", `The local server does not support the operation ${name}.`);
    return { status: 200, body: await operation(input) };
  } catch (thrown) {
    if (thrown instanceof AwsError)
      return {
        status: thrown instanceof ServerFault ? 500 : 400,
        body: { __type: thrown.type, message: thrown.message },
      };
    return { status: 500, body: { __type: "InternalFailure", message: String(thrown) } };
  }
}
