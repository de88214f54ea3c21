import * as z from "zod/mini";
import { ApiError } from "../../lib/errors.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { openLambda } from "../../lib/http/lambda.ts";

export const notFound = endpoint({
  name: "not-found",
  path: "/{proxy+}",
  method: "ANY",
  group: "fallback",
  summary: "Return NOT_FOUND for a request that no route matches.",
  credentials: "none",
  envelope: "raw",
  grants: [],
  errors: ["NOT_FOUND"],
  data: z.object({}),
  reply: z.never(),
  message: "",

  async handle() {
    throw new ApiError("NOT_FOUND", "No endpoint has this path.");
  },
});
export const handler = openLambda(notFound);
