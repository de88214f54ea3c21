// @ts-expect-error: the package has no types
import express from "express";
import serverless from "serverless-http";
import { replyTo } from "./work.ts";

interface Request {
  headers: Record<string, string>;
  body: unknown;
}

const app = express();
app.use(express.json());
// biome-ignore lint/suspicious/noExplicitAny: see above
app.post("/bench", async (request: Request, response: any) => {
  const { status, body } = await replyTo(request.headers, request.body);
  response.status(status).json(body);
});

export const handler = serverless(app);
