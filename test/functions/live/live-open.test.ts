import { describe, expect, it, vi } from "vitest";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { documentsUpdate } from "../../../functions/documents/documents-update.ts";
import { liveOpen } from "../../../functions/live/live-open.ts";
import { permissionsRemove } from "../../../functions/permissions/permissions-remove.ts";
import { presenceGet } from "../../../functions/presence/presence-get.ts";
import { permissionproviderconfigUpdate } from "../../../functions/workspace-settings/permissionproviderconfig-update.ts";
import { authorize } from "../../../lib/live/authorize.ts";
import * as Document from "../../../lib/store/content/document.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { call, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { newEngine, newListener, newLiveWorkspace } from "../../support/live.ts";
import { listen as serve } from "../../support/net/listen.ts";
import { callAs, newWorkspaceForUsers, tokenOf } from "../../support/users.ts";
import { onDocument, organizationId } from "../../support/workspace.ts";

const on = { documentId: "d" };
fakeDates(Date.parse("2026-01-31T12:00:00.000Z"));

const listen = (authorizationToken: string, channel: string, operation = "EVENT_SUBSCRIBE") =>
  authorize({
    authorizationToken,
    requestContext: { operation, channelNamespaceName: channel.split("/")[1], channel },
  });

describe("OK", () => {
  it("gives a ticket that opens the channels of the reply, and marks the user as present for three minutes", async () => {
    const { token, opened } = await newListener();
    expect(opened).toMatchObject({ renewSeconds: 120, seq: 0, role: "editor", host: expect.stringMatching(/^127/) });
    for (const { now, next } of Object.values(opened.channels) as { now: string; next: string }[]) {
      for (const channel of [now, next]) {
        const handlerContext = { userId: "ann", name: "The ann" };
        expect(await listen(opened.ticket, channel)).toMatchObject({ isAuthorized: true, handlerContext });
      }
    }
    expect((await callAs(token, presenceGet, on)).data.users).toMatchObject([{ userId: "ann", name: "The ann" }]);
    later(180);
    expect((await callAs(token, presenceGet, on)).data.users).toEqual([]);
    expect((await listen(opened.ticket, opened.channels.user.now)).isAuthorized).toBe(false);
  });

  it("gives two users of a document one channel of it, and each an own one", async () => {
    const { as, opened } = await newListener();
    const { data } = await callAs(await tokenOf(as, "eve", "viewer"), liveOpen, on);
    expect(data).toMatchObject({ role: "viewer", channels: { document: opened.channels.document } });
    expect(data.channels.user).not.toEqual(opened.channels.user);
    expect((await listen(data.ticket, opened.channels.user.now)).isAuthorized).toBe(false);
  });

  it("opens only the user's own channel without a document", async () => {
    const { token } = await newListener();
    const { data } = await callAs(token, liveOpen, {});
    expect(Object.keys(data).sort()).toEqual(["channels", "host", "renewSeconds", "ticket", "url"]);
    expect(Object.keys(data.channels)).toEqual(["user"]);
  });

  it("takes a server's call for a user", async () => {
    const { as } = await newListener();
    const open = (userId: string) => call(liveOpen, { as, data: { organizationId, ...on, user: { userId } } });
    expect((await open("ann")).data).toMatchObject({ role: "editor" });
    expect((await open("bob")).error?.status).toBe("PERMISSION_DENIED");
  });

  it("does not lose the mark of the document when another call changes the document", async () => {
    const { as, token } = await newListener();
    const stored = async () => (await Document.get({ workspace: as.apiKey, organizationId, ...on }))?.listenedUntil;
    later(300);
    let isRaced = false;
    interceptStore(async ({ input }) => {
      if (isRaced || !JSON.stringify(input).includes('"documentName"')) return;
      isRaced = true;
      await callAs(token, liveOpen, on);
    });
    const documents = [{ documentId: "d", documentName: "New" }];
    await must(documentsUpdate, { as, data: { organizationId, documents } });
    vi.restoreAllMocks();
    expect(isRaced).toBe(true);
    expect(await stored()).toBe(Date.now() / 1_000 + 300);
  });
});

describe("a permission provider", () => {
  it("is asked, and its answer counts for the next calls of the user", async () => {
    const { as, token } = await newListener();
    let reply = (hasAccess: boolean): object => ({ hasAccess, accessRole: "viewer" });
    const port = await serve(async (request, response) => {
      const { requests } = JSON.parse((await request.toArray()).join("")).data;
      const data = requests.map(({ userId, resource }: { userId: string; resource: { id: string; type: string } }) => {
        return { userId, resourceId: resource.id, type: resource.type, organizationId, ...reply(resource.id === "d") };
      });
      response.end(JSON.stringify({ data, success: true, statusCode: 200 }));
    });
    const permissionProviderConfig = { permissionProviderUrl: `http://127.0.0.1:${port}/`, authToken: "secret" };
    const config = { usePermissionProvider: true, permissionProviderConfig };
    await must(permissionproviderconfigUpdate, { as, data: config });
    expect((await callAs(token, presenceGet, on)).error?.status).toBe("FAILED_PRECONDITION");
    expect((await callAs(token, liveOpen, on)).data.role).toBe("viewer");
    expect((await callAs(token, presenceGet, on)).status).toBe(200);
    const [hidden, missing] = [{ documentId: "hidden" }, { documentId: "missing" }];
    expect((await callAs(token, liveOpen, hidden)).error?.status).toBe("PERMISSION_DENIED");
    reply = () => ({});
    const undecided = await callAs(token, liveOpen, hidden);
    expect(undecided.error?.status).toBe("UNAVAILABLE");
    expect((await callAs(token, liveOpen, missing)).body).toEqual(undecided.body);
  });
});

describe("PERMISSION_DENIED", () => {
  it("is the same for a document that is missing and one that is forbidden, and adds no presence", async () => {
    const { as, token } = await newListener();
    const open = async (documentId: string) => (await callAs(token, liveOpen, { documentId })).body;
    expect(await open("hidden")).toEqual(await open("missing"));
    expect((await open("hidden")).error.status).toBe("PERMISSION_DENIED");
    expect((await must(presenceGet, { as, data: { organizationId, documentId: "hidden" } })).users).toEqual([]);
  });

  it("is returned after the access has ended, in the name of another user, and to a user whom nobody knows", async () => {
    const { as, token } = await newListener();
    const other = await callAs(token, liveOpen, { ...on, user: { userId: "bob" } });
    expect(other.error?.status).toBe("PERMISSION_DENIED");
    const data = { user: { userId: "ann" }, permissions: { resources: [onDocument("d")] } };
    await must(permissionsRemove, { as, data });
    expect((await callAs(token, liveOpen, on)).error?.status).toBe("PERMISSION_DENIED");
    const nobody = await call(liveOpen, { as, data: { organizationId, user: { userId: "nobody" } } });
    expect(nobody.error?.status).toBe("PERMISSION_DENIED");
  });
});

it("NOT_FOUND is returned when the document is deleted meanwhile", async () => {
  const { as, token } = await newListener();
  later(300);
  let isRaced = false;
  interceptStore(async ({ input }) => {
    if (isRaced || !JSON.stringify(input).includes('"listenedUntil","#1":"rev"')) return;
    isRaced = true;
    await must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } });
  });
  expect((await callAs(token, liveOpen, on)).error?.status).toBe("NOT_FOUND");
  vi.restoreAllMocks();
});

describe("FAILED_PRECONDITION", () => {
  it("is returned while the switch is off", async () => {
    await newEngine();
    const as = await newWorkspaceForUsers();
    const { error } = await callAs(await tokenOf(as, "ann"), liveOpen, on);
    expect(error).toMatchObject({ status: "FAILED_PRECONDITION", message: expect.stringContaining("live") });
    await Setting.update({ workspace: as.apiKey }, "switches", { live: true });
    expect((await callAs(await tokenOf(as, "ann"), liveOpen, on)).status).toBe(200);
  });

  it("is returned by a deployment without live messages", async () => {
    vi.stubEnv("LIVE_REALTIME_URL", "");
    const as = await newLiveWorkspace();
    const { error } = await callAs(await tokenOf(as, "ann"), liveOpen, on);
    expect(error).toMatchObject({ status: "FAILED_PRECONDITION", message: "This deployment has no live messages." });
  });
});
