// Checks for every listing: each item comes once, and a page token is valid only for its own request.
import { expect } from "vitest";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { type Credentials, call, must } from "./call.ts";

export interface Listing {
  endpoint: Pick<Endpoint, "name">;
  /** The field of the reply that has the items. */
  member: string;
}

/** The items of all pages. Fails when a page is larger than requested. */
export async function allPages(
  { endpoint, member }: Listing,
  as: Credentials,
  data: { pageSize: number; [field: string]: unknown },
) {
  const items: Record<string, string>[] = [];
  let pageToken: string | null = null;
  do {
    const page = await must(endpoint, { as, data: { ...data, pageToken } });
    expect(page[member].length).toBeLessThanOrEqual(data.pageSize);
    items.push(...page[member]);
    pageToken = page.nextPageToken;
  } while (pageToken !== null);
  return items;
}

/** Expects that the page token is refused. */
export async function expectRefused({ endpoint }: Listing, as: Credentials, data: object): Promise<void> {
  const { error } = await call(endpoint, { as, data });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path: ["pageToken"] }] } });
}

/** Tokens that the service did not issue: truncated, changed, with characters outside the alphabet. */
export function forged(token: string): string[] {
  const changed = (index: number) =>
    `${token.slice(0, index)}${token[index] === "A" ? "B" : "A"}${token.slice(index + 1)}`;
  return [
    token.slice(0, -4),
    token.slice(4),
    changed(0),
    changed(20),
    changed(token.length - 5),
    "e30",
    "ä".repeat(40),
  ];
}
