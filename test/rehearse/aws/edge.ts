// The address of AWS for the functions: one server for each service, which lets a request pass to its engine if the role
// of its credentials allows it. As in AWS, the credentials of a request name the role.
import { randomUUID } from "node:crypto";
import { Agent, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import { buffer } from "node:stream/consumers";
import { AwsError } from "../../../infra/local/aws-json.ts";
import { httpServer, listen } from "../../../infra/local/listen.ts";
import { listNeed, needsAfter, needsOfDynamodb, needsOfKms, needsOfS3, needsOfSqs } from "./needs.ts";
import type { Need } from "./policy.ts";
import type { Queues } from "./queues.ts";
import { firstDenied, knownNeeds, meetsOutage, noteLacking, type Session } from "./session.ts";

export interface Edge {
  /** The environment of a function: where AWS is, and credentials for this session. */
  access(session: Session): Record<string, string>;
  urlOfQueue(kind: string): string;
  close(): Promise<void>;
}

interface Reply {
  status: number;
  headers?: Record<string, string | string[] | undefined>;
  body: string | Buffer;
}

type Service = (request: IncomingMessage, body: Buffer, session: Session) => Promise<Reply>;

const isJson = { "content-type": "application/x-amz-json-1.0" };

export async function startEdge(queues: () => Queues): Promise<Edge> {
  const sessions = new Map<string, Session>();
  const agent = new Agent({ keepAlive: true });

  async function start(service: Service) {
    const server = httpServer(async (request, response) => {
      const [, id = ""] = /Credential=([^/]+)\//.exec(String(request.headers.authorization)) ?? [];
      const session = sessions.get(id);
      if (!session) throw new Error("The credentials are not those of a function.");
      write(response, await service(request, await buffer(request), session));
    });
    return listen(server, 0);
  }

  const [dynamodb, kms, s3, sqs] = await Promise.all([
    start(jsonService("AWS_ENDPOINT_URL_DYNAMODB", needsOfDynamodb)),
    start(jsonService("AWS_ENDPOINT_URL_KMS", needsOfKms)),
    start(files),
    start(sending),
  ]);

  function jsonService(engine: string, needsOf: typeof needsOfDynamodb): Service {
    return async (request, body, session) => {
      const input = JSON.parse(String(body));
      const needs = knownNeeds(session, () => needsOf(operationOf(request), input));
      const denied = firstDenied(session, needs);
      if (denied) return denial(denied, session);
      noteLacking(session, needsAfter(operationOf(request), input, Date.now()));
      return meetsOutage(session, needs) ? outage : passOn(process.env[engine] as string, agent, request, body);
    };
  }

  async function files(request: IncomingMessage, body: Buffer, session: Session): Promise<Reply> {
    const needs = knownNeeds(session, () => needsOfS3(request.method ?? "", request.url ?? "/", String(body)));
    if (firstDenied(session, needs)) return accessDenied();
    const reply = await passOn(process.env.AWS_ENDPOINT_URL_S3 as string, agent, request, body);
    if (reply.status !== 404) return reply;
    // Only a role that may list the bucket learns that a file does not exist.
    const [, bucket = ""] = String(request.url).split("/");
    return firstDenied(session, [listNeed(bucket)]) ? accessDenied() : reply;
  }

  async function sending(request: IncomingMessage, body: Buffer, session: Session): Promise<Reply> {
    const input = JSON.parse(String(body));
    const needs = knownNeeds(session, () => needsOfSqs(operationOf(request), input));
    const denied = firstDenied(session, needs);
    if (denied) return denial(denied, session);
    try {
      const trace = String(request.headers["x-amzn-trace-id"] ?? "");
      const result = queues().respond(operationOf(request), input, trace);
      return { status: 200, headers: isJson, body: JSON.stringify(result) };
    } catch (thrown) {
      if (!(thrown instanceof AwsError)) throw thrown;
      const error = { __type: thrown.type, message: thrown.message };
      return { status: 400, headers: isJson, body: JSON.stringify(error) };
    }
  }

  const urlOfQueue = (kind: string) => `${sqs.url}/000000000000/${kind}`;
  return {
    urlOfQueue,
    access(session) {
      const id = `ASIA${randomUUID().replaceAll("-", "").slice(0, 16).toUpperCase()}`;
      sessions.set(id, session);
      return {
        AWS_ACCESS_KEY_ID: id,
        AWS_SECRET_ACCESS_KEY: "secret",
        AWS_SESSION_TOKEN: "token",
        AWS_REGION: "us-east-1",
        AWS_DEFAULT_REGION: "us-east-1",
        AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
        AWS_ENDPOINT_URL_KMS: kms.url,
        AWS_ENDPOINT_URL_S3: s3.url,
        AWS_ENDPOINT_URL_SQS: sqs.url,
      };
    },
    async close() {
      await Promise.all([dynamodb, kms, s3, sqs].map((each) => each.close()));
      agent.destroy();
    },
  };
}

/** An error that the SDK does not repeat, so that nothing waits. */
const outage: Reply = {
  status: 400,
  headers: isJson,
  body: JSON.stringify({ __type: "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException", message: "Outage" }),
};

function denial({ action, resource }: Need, { name }: Session): Reply {
  const user = `arn:aws:sts::000000000000:assumed-role/${name}-role/${name}`;
  const reason = `because no identity-based policy allows the ${action} action`;
  const Message = `User: ${user} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
  const body = { __type: "com.amazon.coral.service#AccessDeniedException", message: Message, Message };
  return { status: 400, headers: isJson, body: JSON.stringify(body) };
}

function accessDenied(): Reply {
  const body = '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';
  return { status: 403, headers: { "content-type": "application/xml" }, body };
}

function operationOf({ headers }: IncomingMessage): string {
  return String(headers["x-amz-target"]).split(".")[1] ?? "";
}

function write(response: ServerResponse, { status, headers = {}, body }: Reply): void {
  response.writeHead(status, { "x-amzn-requestid": randomUUID(), ...headers }).end(body);
}

function passOn(engine: string, agent: Agent, from: IncomingMessage, body: Buffer): Promise<Reply> {
  const { host: _host, connection: _connection, "transfer-encoding": _encoding, ...headers } = from.headers;
  const { method, url = "/" } = from;
  return new Promise((resolve, reject) => {
    const sent = { agent, method, headers: { ...headers, "content-length": body.length } };
    const outgoing = send(new URL(url, engine), sent, (response) => {
      const { connection: _own, "transfer-encoding": _chunked, ...received } = response.headers;
      buffer(response).then(
        (content) => resolve({ status: response.statusCode ?? 500, headers: received, body: content }),
        reject,
      );
    });
    outgoing.on("error", reject).end(body);
  });
}
