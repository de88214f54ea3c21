// The part of the OpenAPI document that a user's token opens.
import type { OpenApi } from "../openapi/document.ts";
import { userMarks } from "../openapi/json-schema.ts";
import { userScheme } from "../openapi/operation.ts";

type Properties = Record<string, Record<string, unknown>>;

/** The document with only these operations. Their callers need not say who acts, and have no fields of servers. */
export function forUsers(document: OpenApi): OpenApi {
  const opened = Object.entries(document.paths).filter(([, { post }]) =>
    ((post?.security ?? []) as object[]).some((each) => userScheme in each),
  );
  const paths = opened.map(([path, { post }]) => {
    const requestBody = withoutMarked(post?.requestBody, userMarks.unsent);
    return [path, { post: { ...post, requestBody } }] as const;
  });
  return withoutMarked({ ...document, paths: Object.fromEntries(paths) }, userMarks.hidden) as OpenApi;
}

/** The schemas without the properties that have this mark. Properties that say who acts are not required. */
function withoutMarked(schemas: unknown, mark: string): unknown {
  return JSON.parse(JSON.stringify(schemas), (_, value) => {
    if (typeof value?.properties !== "object") return value;
    const properties = value.properties as Properties;
    const kept = Object.fromEntries(Object.entries(properties).filter(([, each]) => !each[mark]));
    const { required } = value as { required?: string[] };
    const needed = required?.filter((name) => kept[name] && !kept[name][userMarks.actor]);
    return { ...value, properties: kept, ...(needed && { required: needed }) };
  });
}
