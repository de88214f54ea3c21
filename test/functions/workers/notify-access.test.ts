// Which users get no notification because of missing access: `verifyUserPermissions` and `context.access`.
import { describe, expect, it, vi } from "vitest";
import { foldersUpdate } from "../../../functions/folders/folders-update.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { notify } from "../../../functions/workers/notify.ts";
import { permissionproviderconfigUpdate } from "../../../functions/workspace-settings/permissionproviderconfig-update.ts";
import { type Credentials, must } from "../../support/call.ts";
import { jobsOf } from "../../support/jobs.ts";
import { listen } from "../../support/net/listen.ts";
import { silentServer } from "../../support/net/silent-server.ts";
import * as n from "../../support/notifications.ts";
import { deliver } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { untilHolds } from "../../support/turns.ts";
import * as f from "../../support/workspace.ts";

const verifyUserPermissions = true;
const users = (ids: readonly string[]) => ids.map((userId) => ({ userId }));
const ended = { expiresAt: 1 };
const team = (value: unknown) => ({ context: { access: { team: value } } });

/** The document `d` in the folder `inner` of the folder `outer`. */
async function newTree(accessType: string): Promise<Credentials> {
  const as = await f.newOrganization();
  await f.addFolders(as, { folderId: "outer", accessType }, { folderId: "inner", parentFolderId: "outer" });
  await f.addDocuments(as, "inner", "d");
  return as;
}

async function useProvider(as: Credentials, port: number): Promise<void> {
  const permissionProviderConfig = { permissionProviderUrl: `http://127.0.0.1:${port}/`, authToken: "secret" };
  const data = { usePermissionProvider: true, permissionProviderConfig };
  await must(permissionproviderconfigUpdate, { as, data });
}

async function sendTo(as: Credentials, ids: readonly string[], more: object): Promise<string[]> {
  await n.send(as, { notifyUsers: users(ids), ...more });
  return n.recipientsAmong(as, ids);
}

describe("notifyAll", () => {
  it("reaches users without a profile, once a call has given them access to anything of the organization", async () => {
    const as = await newTree("restricted");
    await f.addDocuments(as, undefined, "other");
    await f.addFolders(as, { folderId: "beside" });
    await n.addMembers(as, ["member"]);
    await f.give(as, "both", f.onDocument("d"), f.onFolder("inner"));
    await f.give(as, "outer", f.onFolder("outer"));
    await f.give(as, "beside", f.onFolder("beside"));
    await f.give(as, "elsewhere", f.onDocument("other"));
    await f.give(as, "ended", f.onDocument("other", ended));
    await f.give(as, "deleted", f.onOrganization(), f.onFolder("outer"));
    await must(usersDelete, { as, data: { organizationId: f.organizationId, userIds: ["deleted"] } });
    const reached = ["member", "both", "outer", "beside", "elsewhere", "ended"];
    await n.send(as, {});
    expect(await n.recipientsAmong(as, [...reached, "deleted", "stranger"])).toEqual(reached);
    await n.send(as, { verifyUserPermissions });
    for (const id of reached) {
      const isAllowed = ["both", "outer"].includes(id);
      expect((await n.inboxOf(as, id)).notifications).toHaveLength(isAllowed ? 2 : 1);
    }
  });

  it("reaches any number of them, page by page", async () => {
    const as = await newTree("restricted");
    const ids = n.numbered(130);
    for (const [index, userId] of ids.entries()) await f.give(as, userId, f.onFolder(index % 2 ? "outer" : "inner"));
    await n.send(as, {});
    // Read from the table: 130 concurrent calls would depend on the speed of the machine.
    const entries = (await itemsOf(as.apiKey)).filter(({ entity }) => entity === "inbox-entry");
    expect(entries.map(({ userId }) => userId).sort()).toEqual([...ids].sort());
  });
});

describe("verifyUserPermissions", () => {
  it("requires a grant on a restricted document, or on a folder above it", async () => {
    const as = await newTree("restricted");
    await n.addMembers(as, ["member"]);
    await n.addMembers(as, ["admin"], { isAdmin: true });
    await f.give(as, "document", f.onDocument("d"));
    await f.give(as, "ended", f.onDocument("d", ended), f.onFolder("inner", ended));
    await f.give(as, "inner", f.onDocument("d", ended), f.onFolder("inner"));
    await f.give(as, "outer", f.onFolder("outer"));
    const ids = ["member", "admin", "document", "ended", "inner", "outer", "stranger"];
    expect(await sendTo(as, ids, { verifyUserPermissions })).toEqual(["admin", "document", "inner", "outer"]);
  });

  it.each([
    ["organizationPrivate", ["member", "guest"]],
    ["public", ["member", "guest", "stranger"]],
  ])("allows the users who can read a document that is %s", async (accessType, expected) => {
    const as = await newTree(accessType);
    await n.addMembers(as, ["member"]);
    await f.give(as, "guest", f.onDocument("d"));
    expect(await sendTo(as, ["member", "guest", "stranger"], { verifyUserPermissions })).toEqual(expected);
  });

  it("holds a restriction of a folder that came after the call", async () => {
    const as = await newTree("public");
    await n.addMembers(as, ["member"]);
    await f.give(as, "guest", f.onFolder("outer"));
    await n.add(as, { notifyUsers: users(["member", "guest", "stranger"]), notifyAll: false, verifyUserPermissions });
    const folders = [{ folderId: "outer", accessType: "restricted" }];
    await must(foldersUpdate, { as, data: { organizationId: f.organizationId, folders } });
    await n.runNotify(as);
    expect(await n.recipientsAmong(as, ["member", "guest", "stranger"])).toEqual(["guest"]);
  });

  it("checks also members whom the notification does not name, and no user when it is off", async () => {
    const as = await newTree("restricted");
    const ids = n.numbered(30);
    await n.addMembers(as, ids);
    for (const userId of ["u3", "u29"]) await f.give(as, userId, f.onFolder("outer"));
    await n.send(as, { verifyUserPermissions });
    expect(await n.recipientsAmong(as, ids)).toEqual(["u3", "u29"]);
    await n.send(as, {});
    expect((await n.inboxOf(as, "u0")).notifications).toHaveLength(1);
  });

  it("asks the permission provider when one is configured, and denies users without a decision", async () => {
    const as = await newTree("public");
    const received: unknown[] = [];
    const port = await listen(async (request, response) => {
      const { requests } = JSON.parse((await request.toArray()).join("")).data;
      received.push(...requests);
      const data = (requests as { userId: string; resource: { id: string; type: string } }[])
        .filter(({ userId }) => userId !== "missing")
        .map(({ userId, resource: { id: resourceId, type } }) => {
          return { userId, resourceId, type, organizationId: f.organizationId, hasAccess: userId === "ann" };
        });
      response.end(JSON.stringify({ data, success: true, statusCode: 200 }));
    });
    await useProvider(as, port);
    const ids = ["ann", "ben", "missing"];
    expect(await sendTo(as, ids, { verifyUserPermissions })).toEqual(["ann"]);
    const resource = { id: "d", type: "document", organizationId: f.organizationId, parentFolderId: "inner" };
    expect(received).toEqual(ids.map((userId) => ({ userId, resource })));
  });

  it("asks the permission provider in three jobs of a workspace at a time, and the others run later", async () => {
    const as = await newTree("public");
    const server = silentServer();
    await useProvider(as, await listen(server.respond));
    for (let index = 0; index < 5; index++) await n.add(as, { notifyUsers: users(["ann"]), verifyUserPermissions });
    const ids = (await jobsOf(as, "notify")).map(({ id }) => id);
    expect(ids).toHaveLength(5);
    const delivered = deliver(notify, ids);
    // A job that no worker has claimed yet is in the same state, but has found no slot taken.
    const waiting = async () =>
      (await jobsOf(as, "notify")).filter(({ state, payload }) => state === "waiting" && payload.waits);
    await untilHolds(async () => (await waiting()).length === 2 && server.state.requests === 3);
    server.answer();
    expect(await delivered).toEqual([]);
    const later = await waiting();
    expect(later).toHaveLength(2);
    for (const { dueAt } of later) expect(dueAt - Date.now()).toBeLessThanOrEqual(5_000);
    const requests = server.state.requests;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5_000 });
    expect(
      await deliver(
        notify,
        later.map(({ id }) => id),
      ),
    ).toEqual([]);
    vi.useRealTimers();
    expect(server.state.requests).toBeGreaterThan(requests);
    expect(await jobsOf(as, "notify")).toEqual([]);
  });
});

describe("context.access", () => {
  const context = { access: { team: "red", level: 7 } };

  it("allows only users whose active grants together match every field", async () => {
    const as = await newTree("restricted");
    const both = { context: { access: { team: ["blue", "red"], level: "7" } } };
    await f.give(as, "document", f.onDocument("d", both));
    await f.give(as, "folder", f.onFolder("outer", both));
    await f.give(as, "organization", f.onOrganization(both));
    await f.give(as, "spread", f.onOrganization(team("red")), f.onDocument("d", { context: { access: { level: 7 } } }));
    await f.give(as, "half", f.onDocument("d", team("red")));
    await f.give(as, "other", f.onDocument("d", { context: { access: { team: "Red", level: 7 } } }));
    await f.give(as, "ended", f.onDocument("d", { ...both, ...ended }), f.onOrganization({ ...both, ...ended }));
    await f.give(as, "none", f.onDocument("d"));
    const ids = ["document", "folder", "organization", "spread", "half", "other", "ended", "none", "stranger"];
    expect(await sendTo(as, ids, { context })).toEqual(["document", "folder", "organization", "spread"]);
  });

  it("applies together with verifyUserPermissions: both must allow the user", async () => {
    const as = await newTree("restricted");
    await f.give(as, "fits", f.onFolder("inner", team("red")));
    await f.give(as, "outside", f.onOrganization(team("red")));
    await f.give(as, "unfit", f.onDocument("d", team("blue")));
    const checks = { verifyUserPermissions, ...team("red") };
    expect(await sendTo(as, ["fits", "outside", "unfit"], checks)).toEqual(["fits"]);
  });

  it("ignores grants of a deleted generation of the user", async () => {
    const as = await newTree("public");
    await f.give(as, "u", f.onDocument("d", team("red")), f.onFolder("outer", team("red")));
    await must(usersDelete, { as, data: { organizationId: f.organizationId, userIds: ["u"] } });
    expect(await sendTo(as, ["u"], team("red"))).toEqual([]);
  });

  it("allows everyone when it requires no field", async () => {
    const as = await newTree("restricted");
    expect(await sendTo(as, ["stranger"], { context: { access: {} } })).toEqual(["stranger"]);
  });
});
