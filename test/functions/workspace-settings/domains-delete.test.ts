import { describe, expect, it } from "vitest";
import { domainsAdd } from "../../../functions/workspace-settings/domains-add.ts";
import { domainsDelete, handler } from "../../../functions/workspace-settings/domains-delete.ts";
import { domainsGet } from "../../../functions/workspace-settings/domains-get.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, must, newWorkspace } from "../../support/call.ts";
import { callSource, issuesOf, mocked } from "../../support/workspace.ts";

const add = (as: Credentials, ...domains: string[]) => must(domainsAdd, { as, data: { domains } });
const remove = async (as: Credentials, ...domains: string[]) =>
  (await must(domainsDelete, { as, data: { domains } })).domainsDeleted as string[];
const read = async (as: Credentials) => (await must(domainsGet, { as })).domains as string[];

describe("OK", () => {
  it("deletes domains in any spelling, and returns those that existed", async () => {
    const as = await newWorkspace();
    await add(as, "a.com", "b.com", "*.a.com", "münchen.de");
    const deleted = await remove(as, "unknown.com", "https://www.A.com/x", "a.com", "MÜNCHEN.de");
    expect(deleted).toEqual(["a.com", "xn--mnchen-3ya.de"]);
    expect(await read(as)).toEqual(["*.a.com", "b.com"]);
    expect(await remove(as, "a.com")).toEqual([]);
  });

  it("allows adding a deleted domain again", async () => {
    const as = await newWorkspace();
    await add(as, "a.com");
    await remove(as, "a.com");
    expect(await add(as, "a.com")).toEqual({ domainsAdded: ["a.com"] });
  });

  it("keeps domains of another workspace", async () => {
    const other = await newWorkspace();
    await add(other, "a.com");
    expect(await remove(await newWorkspace(), "a.com")).toEqual([]);
    expect(await read(other)).toEqual(["a.com"]);
  });

  it("reports a deleted domain in only one of several concurrent calls", async () => {
    const as = await newWorkspace();
    await add(as, "a.com");
    const replies = await Promise.all(Array.from({ length: 5 }, () => remove(as, "a.com")));
    expect(replies.flat()).toEqual(["a.com"]);
  });
});

describe("INVALID_ARGUMENT", () => {
  it("lists every invalid entry, and deletes none of the others", async () => {
    const as = await newWorkspace();
    await add(as, "a.com");
    expect(await issuesOf(domainsDelete, as, { domains: ["a.com", "*", "a@b.com"] })).toEqual([
      "domains.1",
      "domains.2",
    ]);
    expect(await read(as)).toEqual(["a.com"]);
  });
});

describe("AWS calls", () => {
  it("makes one transaction after the read of the credentials", async () => {
    const aws = mockAws(mocked.rows);
    await callSource(handler, domainsDelete, { domains: ["a.com", "b.com"] });
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+$/),
      "TransactWrite Delete W#w DOMAIN#a.com if present, Delete W#w DOMAIN#b.com if present",
    ]);
    aws.restore();
  });
});
