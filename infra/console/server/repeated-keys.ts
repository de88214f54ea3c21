// Some calls have the keys in the path or in the data too. The page cannot know them, so they are added here.
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import { takesKeysInData } from "../../deployables.ts";
import type { Target } from "./target.ts";

interface Sent {
  endpoint: Endpoint;
  path: string;
  body: string | undefined;
}

/** The path and the body with the keys. Undefined: a body that needs them is not JSON. */
export function withKeys(
  { endpoint, path, body }: Sent,
  { apiKey, authToken }: Target,
): Omit<Sent, "endpoint"> | undefined {
  if (endpoint.path.includes("{apiKey}")) return { path: endpoint.path.replace("{apiKey}", apiKey), body };
  if (body === undefined || !takesKeysInData(endpoint)) return { path, body };
  try {
    const content = JSON.parse(body);
    return { path, body: JSON.stringify({ ...content, data: { ...content?.data, apiKey, authToken } }) };
  } catch {
    return undefined;
  }
}
