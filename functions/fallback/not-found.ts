import * as z from "zod/mini";
import { endpoint, openLambda } from "../../lib/http/lambda.ts";
import { nearestPath, unknownPath } from "../../lib/http/nearest.ts";

export const notFound = endpoint({
  name: "not-found",
  path: "/{proxy+}",
  method: "ANY",
  summary: "Return NOT_FOUND for a request that no route matches.",
  credentials: "none",
  envelope: "raw",
  grants: [],
  errors: ["NOT_FOUND"],
  data: z.object({}),
  reply: z.never(),
  message: "",

  async handle({ request }) {
    throw unknownPath(nearestPath(request.path));
  },
});
export const handler = openLambda(notFound);
