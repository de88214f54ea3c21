import { describe, expect, it } from "vitest";
import { messagesSuppressionsDelete } from "../../../functions/messages/messages-suppressions-delete.ts";
import { messagesSuppressionsGet } from "../../../functions/messages/messages-suppressions-get.ts";
import { recipientOf } from "../../../lib/messages/email/email-channel.ts";
import { release, suppress } from "../../../lib/store/messages/suppression.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { issuesOf } from "../../support/workspace.ts";

const at = "2026-01-02T03:04:05.000Z";
const email = "Bob@example.org";
const ref = ({ apiKey }: Credentials) => ({ workspace: apiKey });
const get = (as: Credentials, data: object = {}) => must(messagesSuppressionsGet, { as, data });
const remove = (as: Credentials, address = email) => must(messagesSuppressionsDelete, { as, data: { email: address } });

describe("OK", () => {
  it("lists who has complained, by pages and as hashes", async () => {
    const as = await newWorkspace();
    for (const address of [email, "ann@example.org", "eve@example.org"]) await suppress(ref(as), address, at, "abuse");
    const first = await get(as, { pageSize: 2 });
    const second = await get(as, { pageSize: 2, pageToken: first.nextPageToken });
    expect(second.nextPageToken).toBeNull();
    const all = [...first.suppressions, ...second.suppressions];
    expect(all).toEqual(Array(3).fill({ hash: expect.any(String), reason: "complaint", at, detail: "abuse" }));
    expect(JSON.stringify(all)).not.toContain("@");
  });

  it("tells of one address, also of a bounce, which the workspace cannot end", async () => {
    const as = await newWorkspace();
    const bounced = `${as.apiKey}@example.org`;
    await suppress(undefined, bounced, at, "General");
    expect((await get(as, { email: bounced })).suppressions).toEqual([{ reason: "bounce", at, detail: "General" }]);
    expect((await get(as)).suppressions).toEqual([]);
    expect(await remove(as, bounced)).toEqual({ email: bounced, isBounced: true });
    expect((await get(as, { email: bounced })).suppressions).toHaveLength(1);
    expect(await release(undefined, bounced)).toBe(true);
    expect((await get(as, { email: bounced })).suppressions).toEqual([]);
  });

  it("permits mail to the address again, in each spelling", async () => {
    const as = await newWorkspace();
    const user = { ...ref(as), organizationId: "o", userId: "bob", email };
    await suppress(ref(as), email, at, undefined);
    expect(await recipientOf(user)).toEqual({ problem: expect.stringContaining("complained") });
    const lower = email.toLowerCase();
    // A repeated call ends in the same.
    for (let count = 0; count < 2; count++) expect(await remove(as, lower)).toEqual({ email: lower, isBounced: false });
    expect(await recipientOf(user)).toEqual({ address: email });
  });

  it("says that nothing was deleted for an address without a complaint, also after a bounce", async () => {
    const as = await newWorkspace();
    const bounced = `${as.apiKey}@example.org`;
    await suppress(undefined, bounced, at, "General");
    await suppress(ref(as), email, at, undefined);
    const says = async (address: string) =>
      (await call(messagesSuppressionsDelete, { as, data: { email: address } })).body.result.message;
    for (const address of ["nobody@example.org", bounced])
      expect(await says(address)).toBe("The address has no complaint: nothing was deleted.");
    expect(await says(email)).toBe("Complaint deleted. Mail goes to the address again, unless it has bounced.");
    expect(await says(email)).toBe("The address has no complaint: nothing was deleted.");
  });

  it("knows an address whose domain is given in other letters than those of the report", async () => {
    const as = await newWorkspace();
    const [given, reported] = [`${as.apiKey}@Bücher.example`, `${as.apiKey}@xn--bcher-kva.example`];
    const user = { ...ref(as), organizationId: "o", userId: "bob", email: given };
    await suppress(ref(as), reported, at, undefined);
    await suppress(undefined, given, at, undefined);
    expect((await get(as, { email: given })).suppressions).toMatchObject([{ reason: "complaint" }]);
    expect(await remove(as, given)).toEqual({ email: given, isBounced: true });
    expect(await release(undefined, reported)).toBe(true);
    expect(await recipientOf(user)).toEqual({ address: reported });
  });
});

it("keeps a complaint about another workspace", async () => {
  const [as, other] = [await newWorkspace(), await newWorkspace()];
  await suppress(ref(other), email, at, undefined);
  await remove(as);
  expect((await get(other, { email })).suppressions).toHaveLength(1);
});

describe("INVALID_ARGUMENT", () => {
  it.each(["", "bob", "bob@localhost", "a@example.com, b@example.com"])(
    "is returned for the address %j",
    async (bad) => {
      const as = await newWorkspace();
      expect(await issuesOf(messagesSuppressionsDelete, as, { email: bad })).toEqual(["email"]);
      expect(await issuesOf(messagesSuppressionsGet, as, { email: bad })).toEqual(["email"]);
    },
  );
});
