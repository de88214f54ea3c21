// A write whose reply never comes is made again on a new connection, and the call answers within its time.
import { Agent } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, expect, it, vi } from "vitest";
import { documentsAdd } from "../../functions/documents/documents-add.ts";
import { documentsGet } from "../../functions/documents/documents-get.ts";
import { passOn } from "../../infra/local/hard/pass-on.ts";
import { must } from "../support/call.ts";
import { contextOf, eventOf } from "../support/event.ts";
import { listen } from "../support/net/listen.ts";
import { newOrganization, organizationId } from "../support/workspace.ts";

afterEach(() => void vi.unstubAllEnvs());

/**
 * A proxy in front of DynamoDB that never answers the first transaction. `isMade`: DynamoDB still gets it. Returns the
 * tokens of all transactions.
 */
async function hangingOnce(isMade: boolean): Promise<string[]> {
  const engine = String(process.env.AWS_ENDPOINT_URL_DYNAMODB);
  const agent = new Agent({ keepAlive: true });
  const tokens: string[] = [];
  const port = await listen(async (request, response) => {
    const body = await text(request);
    const isWrite = String(request.headers["x-amz-target"]).endsWith("TransactWriteItems");
    if (isWrite) tokens.push(JSON.parse(body).ClientRequestToken);
    const isHung = isWrite && tokens.length === 1;
    if (isHung && !isMade) return;
    const reply = await passOn(engine, agent, request.headers, body);
    if (!isHung) response.writeHead(reply.status, { "content-type": "application/x-amz-json-1.0" }).end(reply.body);
  });
  vi.stubEnv("SLOWNESS", "1");
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", `http://127.0.0.1:${port}`);
  return tokens;
}

it.each([true, false])("a transaction that hangs is made once, whether DynamoDB got it (%s) or not", async (isMade) => {
  const as = await newOrganization();
  const tokens = await hangingOnce(isMade);
  vi.resetModules();
  const { handler } = await import("../../functions/documents/documents-add.ts");
  const data = { organizationId, documents: [{ documentId: "d" }] };
  const event = eventOf(documentsAdd, { as, data });
  const reply = await handler(event as never, contextOf("documents-add") as never);
  expect(reply.statusCode).toBe(200);
  expect(JSON.parse(reply.body).result.data).toMatchObject({ d: { success: true } });
  // A busy machine can be too slow for the second attempt too.
  expect(tokens.length).toBeGreaterThan(1);
  expect(new Set(tokens)).toEqual(new Set([tokens[0]]));
  vi.unstubAllEnvs();
  const { documents } = await must(documentsGet, { as, data: { organizationId } });
  expect(documents.map(({ documentId }: { documentId: string }) => documentId)).toEqual(["d"]);
});
