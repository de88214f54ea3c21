import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { replyTo } from "./work.ts";

export const handler = async (event: APIGatewayProxyEventV2) => {
  const { status, body } = await replyTo(event.headers, JSON.parse(event.body ?? ""));
  return { statusCode: status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
};
