// What a page that stays connected still hears after each way of losing access, for how long, and that a read gives
// nothing. It subscribed at the beginning of a window, so that it hears as long as possible.
import { expect, it } from "vitest";
import { documentsDataAdd } from "../../../../functions/comments/documents-data-add.ts";
import { documentsDataGet } from "../../../../functions/comments/documents-data-get.ts";
import { documentsDelete } from "../../../../functions/documents/documents-delete.ts";
import { documentsMigrate } from "../../../../functions/documents/documents-migrate.ts";
import { documentsUpdate } from "../../../../functions/documents/documents-update.ts";
import { crdtGet } from "../../../../functions/editor-content/crdt-get.ts";
import { crdtUpdate } from "../../../../functions/editor-content/crdt-update.ts";
import { foldersDelete } from "../../../../functions/folders/folders-delete.ts";
import { liveClose } from "../../../../functions/live/live-close.ts";
import { liveOpen } from "../../../../functions/live/live-open.ts";
import { organizationsDelete } from "../../../../functions/organizations/organizations-delete.ts";
import { permissionsRemove } from "../../../../functions/permissions/permissions-remove.ts";
import { presenceGet } from "../../../../functions/presence/presence-get.ts";
import { tokensRevoke } from "../../../../functions/user-tokens/tokens-revoke.ts";
import { usersDelete } from "../../../../functions/users/users-delete.ts";
import { migrate } from "../../../../functions/workers/migrate.ts";
import { permissionproviderconfigUpdate } from "../../../../functions/workspace-settings/permissionproviderconfig-update.ts";
import { rotateKey } from "../../../../lib/access/signing-keys.ts";
import { beginErasure } from "../../../../lib/erasure/begin.ts";
import { tokenKeys } from "../../../../lib/store/access/signing-key.ts";
import * as Setting from "../../../../lib/store/setting.ts";
import { type Credentials, call, must } from "../../../support/call.ts";
import { fakeDates, later } from "../../../support/fake-dates.ts";
import { jobsOf } from "../../../support/jobs.ts";
import { newLiveWorkspace, newRealtime, type Opened } from "../../../support/live.ts";
import { listen } from "../../../support/net/listen.ts";
import { runPurges } from "../../../support/run-purges.ts";
import { deliver } from "../../../support/run-worker.ts";
import { callAs, tokenOf } from "../../../support/users.ts";
import { addFolders, give, onDocument, onFolder, onOrganization, organizationId } from "../../../support/workspace.ts";

const start = Date.parse("2026-01-31T12:00:00.000Z");
fakeDates(start);

const on = { organizationId, documentId: "d" };
const secret = "Nobody else reads this.";
const from = { userId: "bob" };

/** eve listens to `d`, on which bob stays. Her access comes from one grant. */
async function newWorld(grant: object) {
  const realtime = await newRealtime();
  const as = await newLiveWorkspace();
  await addFolders(as, { folderId: "f" }, { folderId: "g" });
  // The organization is the grant of those who edit what is open in it.
  const documents = [{ documentId: "d", folderId: "f", accessType: accessTypeFor(grant) }];
  await must(documentsUpdate, { as, data: { organizationId, documents } });
  const [eve, bob] = [await tokenOf(as, "eve", "editor", { permissions: { resources: [] } }), await tokenOf(as, "bob")];
  await give(as, "eve", { ...grant, accessRole: "editor" });
  await must(crdtUpdate, {
    as,
    data: { ...on, editorId: "e", type: "text", update: "AQEBAAQBB2NvbnRlbnQGUGxhbi4gAA==" },
  });
  const opened: Opened = (await callAs(eve, liveOpen, on)).data;
  const page = await realtime.listenWith(opened);
  await renew(as);
  return { ...realtime, as, eve, bob, opened, page };
}

const accessTypeFor = (grant: object) =>
  "type" in grant && grant.type === "organization" ? "organizationPrivate" : "restricted";

type World = Awaited<ReturnType<typeof newWorld>>;

/** bob's page stays open: without any page, nobody hears of changes. */
const renew = (as: Credentials) => call(liveOpen, { as, data: { ...on, user: { userId: "bob" } } });

let changes = 0;
const change = async ({ as }: World) => {
  const comments = [{ annotationId: `a${++changes}`, from, comments: [{ commentId: "c", from, text: secret }] }];
  return (await call(documentsDataAdd, { as, data: { ...on, location: { id: "1" }, comments } })).status;
};

const remove = (resource: object) => (world: World) =>
  must(permissionsRemove, { as: world.as, data: { user: { userId: "eve" }, permissions: { resources: [resource] } } });
const turnOff = (name: string) => (world: World) =>
  Setting.update({ workspace: world.as.apiKey }, "switches", { [name]: false });
const deleteUser = (resource: object) => (world: World) =>
  must(usersDelete, { as: world.as, data: { organizationId, ...resource, userIds: ["eve"] } });

interface Way {
  /** The grant that gave the access. */
  by?: object;
  lose: (world: World) => Promise<unknown>;
  /** The failure of reads. */
  failure?: string;
  /** How long calls still work. */
  workSeconds?: number;
  /** How long the page hears of changes. 0: there are none. */
  hearSeconds?: number;
}

const ways: Record<string, Way> = {
  "a removed grant on the document": { lose: remove(onDocument("d")) },
  "a removed grant on the folder": { by: onFolder("f"), lose: remove(onFolder("f")) },
  "a removed grant on the organization": { by: onOrganization(), lose: remove(onOrganization()) },
  "users/delete on the document": { lose: deleteUser({ documentId: "d" }) },
  "users/delete on the folder": { by: onFolder("f"), lose: deleteUser({ folderId: "f" }) },
  "users/delete in the organization": { lose: deleteUser({}) },
  "an erasure": {
    async lose({ as }) {
      await beginErasure(as.apiKey, { userIds: ["eve"] });
      await runPurges(as);
    },
  },
  "a no of the permission provider": {
    async lose({ as, eve }) {
      let hasAccess = true;
      const port = await listen(async (request, response) => {
        const { requests } = JSON.parse((await request.toArray()).join("")).data;
        const data = requests.map(({ userId, resource: { id: resourceId, type } }: Question) => {
          return { userId, resourceId, type, organizationId, hasAccess, accessRole: "editor" };
        });
        response.end(JSON.stringify({ data, success: true, statusCode: 200 }));
      });
      const permissionProviderConfig = { permissionProviderUrl: `http://127.0.0.1:${port}/`, authToken: "secret" };
      const config = { usePermissionProvider: true, permissionProviderConfig };
      await must(permissionproviderconfigUpdate, { as, data: config });
      expect((await callAs(eve, liveOpen, on)).status).toBe(200);
      expect((await callAs(eve, presenceGet, on)).status).toBe(200);
      hasAccess = false;
    },
    // An answer counts for a minute. At the next opening, the no takes its place.
    workSeconds: 60,
    failure: "FAILED_PRECONDITION",
    hearSeconds: 300,
  },
  "a move to another folder": {
    by: onFolder("f"),
    lose: ({ as }) =>
      must(documentsUpdate, { as, data: { organizationId, documents: [{ documentId: "d", folderId: "g" }] } }),
  },
  "a migration to another id": {
    async lose({ as }) {
      await must(documentsMigrate, { as, data: { ...on, newDocumentId: "new" } });
      await deliver(
        migrate,
        (await jobsOf(as, "migrate")).map(({ id }) => id),
      );
    },
    hearSeconds: 0,
  },
  "a deletion of the document": {
    lose: ({ as }) => must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } }),
    hearSeconds: 0,
  },
  // Until its job has come to the document, the document is there.
  "a deletion of the folder": {
    async lose({ as }) {
      await must(foldersDelete, { as, data: { organizationId, folderIds: ["f"], recursive: true } });
      await runPurges(as);
    },
    hearSeconds: 0,
  },
  "a deletion of the organization": {
    lose: ({ as }) => must(organizationsDelete, { as, data: { organizationId } }),
    hearSeconds: 0,
  },
  "a revocation of the user's tokens": {
    lose: ({ as }) => must(tokensRevoke, { as, data: { userId: "eve" } }),
    workSeconds: 30,
  },
  "an immediate rotation of the key of tokens": {
    lose: ({ as }) => rotateKey(tokenKeys(as.apiKey), true),
    workSeconds: 30,
  },
  "the switch browser": { lose: turnOff("browser"), failure: "FAILED_PRECONDITION" },
};

interface Question {
  userId: string;
  resource: { id: string; type: string };
}

/** What a page may hear: which kind, which ids, nothing else. */
function expectPointers(messages: object[]): void {
  for (const message of messages) {
    expect(["v", "seq", "kind", "ids"]).toEqual(expect.arrayContaining(Object.keys(message)));
    expect(JSON.stringify(message)).not.toContain(secret);
  }
}

it.each(Object.entries(ways))("after %s, nothing is read, and what is heard ends", async (_, way) => {
  const { by = onDocument("d"), failure = "PERMISSION_DENIED", workSeconds = 0, hearSeconds = 390 } = way;
  const world = await newWorld(by);
  const { as, eve, page, opened, connect } = world;
  expect((await callAs(eve, documentsDataGet, { ...on, kind: "comments" })).status).toBe(200);
  const now = Date.now();
  await way.lose(world);
  expect((await change(world)) === 200).toBe(hearSeconds > 0);
  // The erasure has taken some minutes.
  if (Date.now() - now < workSeconds * 1_000) later(workSeconds);
  for (const [endpoint, data] of [
    [documentsDataGet, { kind: "comments" }],
    [documentsDataGet, { kind: "comments", ids: [`a${changes}`] }],
    [crdtGet, { editorId: "e" }],
    [presenceGet, {}],
    [liveClose, {}],
  ] as const) {
    const reply = await callAs(eve, endpoint, { ...on, ...data });
    expect(reply.error?.status, endpoint.name).toBe(failure);
    expect(JSON.stringify(reply.body)).not.toContain(secret);
  }
  const again = await callAs(eve, liveOpen, on);
  expect(again.status).not.toBe(200);
  expect(again.body.result).toBeUndefined();
  // The ticket has its own end, and opens nothing new.
  const until = Math.max(Date.now(), start + 180_000);
  later((until - Date.now()) / 1_000);
  const other = connect(opened.ticket);
  expect(await other.subscribe(opened.channels.document.next)).toBe("UnauthorizedException");
  expect(await page.publish(opened.channels.awareness.next, ["1"])).toBe("UnauthorizedException");
  for (const seconds of [hearSeconds - 1, hearSeconds]) {
    if (hearSeconds === 0 || Date.now() > start + seconds * 1_000) continue;
    await renew(as);
    later((start + seconds * 1_000 - Date.now()) / 1_000);
    await renew(as);
    const before = page.heard().length;
    await change(world);
    expect(page.heard().length - before, `after ${seconds} s`).toBe(seconds < hearSeconds ? 1 : 0);
  }
  expectPointers(page.heard());
  // Later, nothing at all.
  later(600);
  await renew(as);
  const before = page.heard().length;
  await change(world);
  expect(page.heard()).toHaveLength(before);
});

it("after the switch live, nothing opens, and what is heard ends with the last opening", async () => {
  const world = await newWorld(onDocument("d"));
  await turnOff("live")(world);
  for (const endpoint of [liveOpen, liveClose])
    expect((await callAs(world.eve, endpoint, on)).error?.status).toBe("FAILED_PRECONDITION");
  later(299);
  const before = world.page.heard().length;
  await change(world);
  expect(world.page.heard()).toHaveLength(before + 1);
  later(1);
  await change(world);
  expect(world.page.heard()).toHaveLength(before + 1);
  expectPointers(world.page.heard());
});

it("after live/close, the ticket counts to its end, and the user is not present", async () => {
  const world = await newWorld(onDocument("d"));
  const { as, eve, opened, connect, page } = world;
  await callAs(eve, liveClose, on);
  expect((await must(presenceGet, { as, data: on })).users).toMatchObject([{ userId: "bob" }]);
  later(179);
  expect(await connect(opened.ticket).subscribe(opened.channels.document.now)).toBe("subscribe_success");
  later(1);
  expect(await connect(opened.ticket).subscribe(opened.channels.document.now)).toBe("UnauthorizedException");
  await renew(as);
  later(210);
  await renew(as);
  const before = page.heard().length;
  await change(world);
  expect(page.heard()).toHaveLength(before);
});

it("what pages share is heard for up to nine minutes, and what one shares who has lost access for up to three", async () => {
  const world = await newWorld(onDocument("d"));
  const { as, eve, opened, page, listenWith, connect } = world;
  await remove(onDocument("d"))(world);
  const bob = await listenWith((await call(liveOpen, { as, data: { ...on, user: { userId: "bob" } } })).data);
  later(179);
  const aware = opened.channels.awareness;
  expect(await page.publish(aware.now, ["1"])).toBe("publish_success");
  expect(bob.heard().at(-1)).toMatchObject({ user: { userId: "eve" }, state: 1 });
  later(1);
  expect(await page.publish(aware.now, ["2"])).toBe("UnauthorizedException");
  // A page that opens at the end of the second window may use its name for three minutes.
  later(179);
  const last: Opened = (await call(liveOpen, { as, data: { ...on, user: { userId: "bob" } } })).data;
  expect(last.channels.awareness.now).toBe(aware.next);
  later(179);
  expect(await connect(last.ticket).publish(aware.next, ["3"])).toBe("publish_success");
  expect(page.heard().at(-1)).toMatchObject({ user: { userId: "bob" }, state: 3 });
  later(1);
  expect(await connect(last.ticket).publish(aware.next, ["4"])).toBe("UnauthorizedException");
  expect((await callAs(eve, liveOpen, on)).error?.status).toBe("PERMISSION_DENIED");
});
