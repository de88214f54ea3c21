import { forUsers, userScheme } from "../../../infra/client/user-document.ts";
import type { OpenApi } from "../../../infra/openapi/document.ts";

const opened =
  /\/(?:auth\/permissions\/get|documents\/data\/(?:add|get)|comments\/(?:add|update|delete)|presence\/\w+)$/;

/** The document, in which some operations are open to a user's token. While it has none, these stand in for them. */
export function withUserOperations(document: OpenApi): OpenApi {
  if (Object.keys(forUsers(document).paths).length > 0) return document;
  for (const [path, { post }] of Object.entries(document.paths)) {
    if (post && opened.test(path)) post.security = [{ apiKey: [], authToken: [] }, { [userScheme]: [] }];
  }
  return document;
}
