// The OpenAPI document of the service: for the reference, and for the fields of forms with their choices and meanings.
import { fetchJson } from "./api.ts";
import { type Live, useLive } from "./live.ts";
import { type OpenApi, resolved, type Schema } from "./pages/reference-document.ts";

/** The document changes with the sources only. */
const hourMs = 3_600_000;

export const useOpenApi = (): Live<OpenApi> =>
  useLive("openapi", (signal) => fetchJson<OpenApi>("/docs/openapi.json", { signal }), hourMs);

export function useEventTypes(): string[] {
  const { EventType } = (useOpenApi().data?.components.schemas ?? {}) as Record<string, Schema>;
  return (EventType?.enum ?? []) as string[];
}

/** The schema of the data that a call takes. */
export function useDataSchema(path: string): Live<Schema> {
  const { data: document, ...more } = useOpenApi();
  const body = document?.paths[`/${path}`]?.post?.requestBody?.content?.["application/json"]?.schema;
  return { ...more, data: document && body?.properties?.data && whole(document, body.properties.data) };
}

/** The schema with what it refers to in its properties. */
function whole(document: OpenApi, schema: Schema): Schema {
  const own = resolved(document, schema);
  if (!own.properties) return own;
  const properties = Object.entries(own.properties).map(([name, each]) => [name, whole(document, each)] as const);
  return { ...own, properties: Object.fromEntries(properties) };
}
