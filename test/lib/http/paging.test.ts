import { describe, expect, it } from "vitest";
import { usersGet } from "../../../functions/users/users-get.ts";
import type { Caller } from "../../../lib/http/endpoint.ts";
import { listing } from "../../../lib/http/paging.ts";
import { must } from "../../support/call.ts";
import { addMembers, newDocument, numbered } from "../../support/notifications.ts";
import { organizationId } from "../../support/workspace.ts";

const sizeOf = (request: { pageSize?: number | undefined }, named?: string[]) =>
  listing({} as Caller, ["list"], request, named).size;

describe("a page", () => {
  it("has 50 entries by default, and as many as a request names", () => {
    expect(sizeOf({})).toBe(50);
    expect(sizeOf({}, numbered(70))).toBe(70);
    expect(sizeOf({ pageSize: 100 })).toBe(100);
    expect(sizeOf({ pageSize: 10 }, numbered(70))).toBe(10);
  });

  it("of a list ends after 50 entries, and that of 70 named ones has them all", async () => {
    const as = await newDocument();
    const userIds = numbered(70);
    await addMembers(as, userIds);
    const { users, nextPageToken: pageToken } = await must(usersGet, { as, data: { organizationId } });
    expect(users).toHaveLength(50);
    const rest = await must(usersGet, { as, data: { organizationId, pageToken } });
    expect([rest.users.length, rest.nextPageToken]).toEqual([20, null]);
    const named = await must(usersGet, { as, data: { organizationId, userIds } });
    expect([named.users.length, named.nextPageToken]).toEqual([70, null]);
  });
});
