// The work that both peers do for a request, in the most direct way: check the credentials with one read, validate,
// sign.
import { createHash } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { importJWK, SignJWT } from "jose";
// biome-ignore lint/style/noRestrictedImports: the peers show what the full build costs
import { z } from "zod";

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

const Body = z.object({
  data: z.object({ userId: z.string().min(1).max(256), name: z.string().max(65_536), email: z.string().max(65_536) }),
});

export async function replyTo(headers: Record<string, string | undefined>, body: unknown) {
  const workspace = headers["x-service-api-key"] ?? "";
  const hash = createHash("sha256")
    .update(headers["x-service-auth-token"] ?? "")
    .digest("hex");
  const Key = { pk: `W#${workspace}`, sk: `TOKEN#${hash}` };
  const { Item } = await client.send(new GetCommand({ TableName: process.env.TABLE_NAME, Key, ConsistentRead: true }));
  if (!Item) return { status: 403, body: { error: { status: "PERMISSION_DENIED", message: "Denied." } } };
  const parsed = Body.safeParse(body);
  if (!parsed.success) {
    return { status: 400, body: { error: { status: "INVALID_ARGUMENT", details: { issues: parsed.error.issues } } } };
  }
  const { userId, ...claims } = parsed.data.data;
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", typ: "JWT" })
    .setSubject(userId)
    .setIssuedAt()
    .setExpirationTime("48h")
    .sign(await importJWK(JSON.parse(process.env.BENCH_KEY ?? ""), "ES256"));
  console.log(JSON.stringify({ level: "info", message: "call", workspace, status: "OK" }));
  return { status: 200, body: { result: { status: "success", message: "Token generated.", data: { token } } } };
}
