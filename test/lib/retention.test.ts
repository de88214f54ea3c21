import { expect, it } from "vitest";
import { keptDays, ttlAfter } from "../../lib/retention.ts";
import * as Grant from "../../lib/store/grant.ts";
import * as User from "../../lib/store/user.ts";

const expiresAt = 2_000_000_000;
const grant = { accessRole: "viewer", expiresAt } as const;
const stored = { ...grant, userId: "u", life: 0 };
const days = (count: number) => count * 24 * 3_600;

it("keeps what has ended as long as was decided", () => {
  expect(keptDays).toEqual({
    idempotentReply: 1,
    doneJob: 7,
    failedJob: 90,
    expiredGrant: 30,
    delivery: 30,
    memoryChange: 7,
    ingestRun: 30,
  });
  expect(ttlAfter("doneJob", 1_000)).toBe(1_000 + days(7));
  expect(Math.abs(ttlAfter("failedJob") - days(90) - Date.now() / 1_000)).toBeLessThan(2);
});

it("lets a grant on a folder or document be removed 30 days past its end, and one without an end never", () => {
  const { expiresAt: _, ...endless } = stored;
  const writes = (each: Grant.StoredGrant) => [Grant.onFolder("w", "o", "f", each), Grant.onDocument("w", "x", each)];
  for (const write of writes(stored)) expect(write).toMatchObject({ put: { expiresAt, ttl: expiresAt + days(30) } });
  for (const write of writes(endless)) expect(write).not.toHaveProperty("put.ttl");
});

it("never lets a user's item be removed with the organization's grant in it", () => {
  for (const condition of ["new", "known", "either"] as const) {
    const write = User.change("w", "o", "u", { profile: { name: "Ada" }, grant }, condition);
    expect(write).toMatchObject({ set: { name: "Ada", expiresAt } });
    expect(JSON.stringify(write)).not.toContain("ttl");
  }
  expect(JSON.stringify(User.removal("w", "o", { userId: "u", ...grant }))).not.toContain("ttl");
});

it("does not wait for the removal: a grant ends with its second, and a member with the grant", () => {
  expect(Grant.holds(grant, expiresAt * 1_000 - 1)).toBe(true);
  expect(Grant.holds(grant, expiresAt * 1_000)).toBe(false);
  expect(User.isMember({ userId: "u", ...grant, expiresAt: Math.floor(Date.now() / 1_000) - 1 })).toBe(false);
});
