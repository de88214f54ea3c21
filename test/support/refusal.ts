// Checks that a call was refused, and that it changed nothing.
import { expect } from "vitest";
import type { Item } from "../../lib/dynamodb/key.ts";
import { type ErrorStatus, httpStatus, type Issue } from "../../lib/errors.ts";
import type { Credentials, Reply } from "./call.ts";
import { itemsOf } from "./scan.ts";

/** Expects the failure envelope with this status and no other field. */
export function expectRefused(reply: Reply, status: ErrorStatus, message?: string | RegExp, code?: number): void {
  expect({ http: reply.status, status: reply.error?.status }).toEqual({ http: code ?? httpStatus[status], status });
  expect(Object.keys(reply.body)).toEqual(["error"]);
  expect(reply.error?.message).toMatch(message ?? /./);
  expect(reply.headers["content-type"]).toBe("application/json");
  expect(reply.headers["x-request-id"]).toMatch(/./);
}

export const issuesOf = (reply: Reply) => (reply.error?.details?.issues ?? []) as Issue[];

export const pathsOf = (reply: Reply) => issuesOf(reply).map(({ path }) => path.join("."));

/** All stored items of a workspace, by key. */
export async function storedOf({ apiKey }: Credentials): Promise<Record<string, unknown>> {
  return byKey(await itemsOf(apiKey));
}

export const byKey = (items: readonly Item[]): Record<string, unknown> =>
  Object.fromEntries(items.map((item) => [`${item.pk} ${item.sk}`, item]));
