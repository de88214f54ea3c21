import { expect, it, vi } from "vitest";
import { keptDays, ttlAfter } from "../../lib/retention.ts";
import * as Grant from "../../lib/store/access/grant.ts";
import * as User from "../../lib/store/access/user.ts";
import { type DocumentUid, firstFolderUid } from "../../lib/store/refs.ts";

const expiresAt = 2_000_000_000;
const grant = { accessRole: "viewer", expiresAt } as const;
const stored = { ...grant, userId: "u", generation: 0 };
const organization = { workspace: "w", organizationId: "o" };
const days = (count: number) => count * 24 * 3_600;

it("ttlAfter keeps each kind of item for its number of days", () => {
  expect(keptDays).toEqual({
    idempotentReply: 1,
    doneJob: 7,
    failedJob: 90,
    expiredGrant: 30,
    delivery: 30,
    memoryChange: 7,
    ingestRun: 30,
    receipt: 365,
    erasedUser: 3,
    revocation: 3,
    message: 30,
    messageCount: 2,
  });
  expect(ttlAfter("doneJob", 1_000)).toBe(1_000 + days(7));
  vi.useFakeTimers({ toFake: ["Date"], now: 7_000 });
  expect(ttlAfter("failedJob")).toBe(7 + days(90));
  vi.useRealTimers();
});

it("a grant on a folder or document has a ttl 30 days after its end, and no ttl without an end", () => {
  const { expiresAt: _, ...endless } = stored;
  const writes = (each: Grant.StoredGrant) => [
    ...Grant.onFolder({ ...organization, folderUid: firstFolderUid("f") }, each),
    Grant.onDocument({ workspace: "w", documentUid: "x" as DocumentUid }, each),
  ];
  for (const write of writes(stored)) expect(write).toMatchObject({ put: { ttl: expiresAt + days(30) } });
  for (const write of writes(endless)) expect(write).not.toHaveProperty("put.ttl");
});

it("a user's item has no ttl, whatever the end of its grant, and loses that of an erased user", () => {
  for (const condition of ["new", "known", "either"] as const) {
    const write = User.change({ ...organization, userId: "u" }, { profile: { name: "Ada" }, grant }, condition);
    expect(write).toMatchObject({ set: { name: "Ada", expiresAt } });
    expect(JSON.stringify({ ...write, remove: [] })).not.toContain("ttl");
    if (condition !== "known") expect(write.remove).toContain("ttl");
  }
  expect(JSON.stringify(User.removal(organization, { userId: "u", ...grant }))).not.toContain("ttl");
});

it("a grant ends exactly at expiresAt, and an expired grant gives no membership", () => {
  expect(Grant.isActive(grant, expiresAt * 1_000 - 1)).toBe(true);
  expect(Grant.isActive(grant, expiresAt * 1_000)).toBe(false);
  expect(User.isMember({ userId: "u", ...grant, expiresAt: Math.floor(Date.now() / 1_000) - 1 })).toBe(false);
});
