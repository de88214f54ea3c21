// The part of the OpenAPI document that a user's token opens.
import type { OpenApi } from "../openapi/document.ts";

/** The security scheme of a user's token. An operation that a token opens names it. */
export const userScheme = "userToken";
/** Marks a field of a request that says who acts. The service fills it from the token. */
export const actorMark = "x-actor";

/** The document with only these operations. Their callers need not say who acts. */
export function forUsers(document: OpenApi): OpenApi {
  const paths = Object.entries(document.paths).filter(([, { post }]) =>
    ((post?.security ?? []) as object[]).some((each) => userScheme in each),
  );
  return JSON.parse(JSON.stringify({ ...document, paths: Object.fromEntries(paths) }), (_, value) => {
    if (!Array.isArray(value?.required) || !value.properties) return value;
    return { ...value, required: value.required.filter((name: string) => !value.properties[name]?.[actorMark]) };
  });
}
