import { describe, expect, it } from "vitest";
import { decide } from "../../../lib/access/resolve.ts";
import { type Grant, isActive, type StoredGrant } from "../../../lib/store/access/grant.ts";
import fc from "../../support/property.ts";

const past = 1;
const future = 9e10;
const role = fc.constantFrom("viewer" as const, "editor" as const);
const accessType = fc.constantFrom("organizationPrivate" as const, "restricted" as const, "public" as const);
const grant = fc.record(
  { accessRole: role, expiresAt: fc.constantFrom(future, future + 1) },
  { requiredKeys: ["accessRole"] },
);
const membership = fc.option(
  fc.record(
    { accessRole: role, expiresAt: fc.constantFrom(past, future), isAdmin: fc.boolean() },
    { requiredKeys: ["accessRole"] },
  ),
  { nil: undefined },
);

type Membership = Grant & { isAdmin?: boolean };

/** The rules of DECISIONS.md#access-resolution in their order: the first that matches decides. */
function model(type: string, member: Membership | undefined, grants: Grant[]): Partial<Grant> {
  const isMember = member !== undefined && member.expiresAt !== past;
  const of = ({ accessRole, expiresAt }: Grant) => ({ accessRole, ...(expiresAt && { expiresAt }) });
  if (isMember && member.isAdmin) return { ...of(member), accessRole: "editor" };
  if (grants[0]) return of(grants[0]);
  if (type !== "restricted" && isMember) return of(member);
  if (type === "public") return { accessRole: "viewer" };
  return {};
}

describe("decide", () => {
  it("follows the rules for every combination of access type, grants, membership and isAdmin", () => {
    fc.assert(
      fc.property(accessType, membership, fc.array(grant, { maxLength: 3 }), (type, member, grants) => {
        const user = member && { userId: "u", ...member };
        const stored = grants.map((each): StoredGrant => ({ ...each, userId: "u", generation: 0 }));
        const { accessType: shown, decidedBy: _, ...decision } = decide(user, type, stored);
        expect(shown).toBe(type);
        expect(decision).toEqual(model(type, member, grants));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("decidedBy", () => {
  it("alone gives the same role and end; with none, no grant that counts gives a role", () => {
    fc.assert(
      fc.property(accessType, membership, fc.array(grant, { maxLength: 32 }), (type, member, grants) => {
        const user = member && { userId: "u", ...member };
        const stored = grants.map((each): StoredGrant => ({ ...each, userId: "u", generation: 0 }));
        const { decidedBy, accessType: _, ...decision } = decide(user, type, stored);
        const alone = () => {
          if (decidedBy === "admin") return decide(user, "restricted", []);
          if (decidedBy === "organization") return decide(user && { ...user, isAdmin: false }, type, []);
          if (decidedBy === "accessType") return decide(undefined, type, []);
          if (decidedBy === "none") return decide(user, type, stored);
          return decide(undefined, "restricted", [decidedBy]);
        };
        const { decidedBy: same, accessType: __, ...result } = alone();
        expect([result, same]).toEqual([decision, decidedBy]);
        if (decidedBy !== "none") return;
        expect(decision).toEqual({});
        const each = [decide(user, type, []), ...stored.map((one) => decide(undefined, type, [one]))];
        expect(each.filter(({ accessRole }) => accessRole)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("isActive", () => {
  it("is true before expiresAt, and false from expiresAt on", () => {
    expect(isActive({ expiresAt: 100 }, 99_999)).toBe(true);
    expect(isActive({ expiresAt: 100 }, 100_000)).toBe(false);
    expect(isActive({ expiresAt: 0 }, 0)).toBe(false);
  });

  it("is always true without expiresAt, and false without a grant", () => {
    expect(isActive({}, Number.MAX_SAFE_INTEGER)).toBe(true);
    expect(isActive(undefined)).toBe(false);
  });
});
