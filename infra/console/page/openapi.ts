// The OpenAPI document of the service: the fields of forms, their choices and their meanings.
import { fetchJson } from "./api.ts";
import { type Live, useLive } from "./live.ts";

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: string[];
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
}

interface OpenApi {
  paths: Record<string, { post?: { requestBody: { content: Record<string, { schema: Schema }> } } }>;
  components: { schemas: Record<string, Schema> };
}

const hourMs = 3_600_000;

const useOpenApi = (): Live<OpenApi> =>
  useLive("openapi", (signal) => fetchJson<OpenApi>("/openapi.json", { signal }), hourMs);

export const useEventTypes = (): string[] => useOpenApi().data?.components.schemas.EventType?.enum ?? [];

/** The schema of the data that a call takes. */
export function useDataSchema(path: string): Live<Schema> {
  const { data, ...more } = useOpenApi();
  const body = data?.paths[`/${path}`]?.post?.requestBody.content["application/json"]?.schema;
  return { ...more, data: body?.properties?.data && resolved(body.properties.data, data?.components.schemas ?? {}) };
}

/** The schema with what it refers to in its properties. */
function resolved(schema: Schema, named: Record<string, Schema>): Schema {
  const own = { ...named[schema.$ref?.split("/").at(-1) ?? ""], ...schema };
  if (!own.properties) return own;
  const properties = Object.entries(own.properties).map(([name, each]) => [name, resolved(each, named)] as const);
  return { ...own, properties: Object.fromEntries(properties) };
}
