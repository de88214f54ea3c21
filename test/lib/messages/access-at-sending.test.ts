// Access to a document, and the access fields that a notification asks for, are read when its message is sent
// (DECISIONS.md#content-of-messages).

import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { documentsUpdate } from "../../../functions/documents/documents-update.ts";
import { emailconfigUpdate } from "../../../functions/messages/emailconfig-update.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { permissionproviderconfigUpdate } from "../../../functions/workspace-settings/permissionproviderconfig-update.ts";
import { type Credentials, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { drained, fillAddress, leftIn, mailbox, messagesOf } from "../../support/messages.ts";
import { listen } from "../../support/net/listen.ts";
import * as n from "../../support/notifications.ts";
import * as f from "../../support/workspace.ts";

fakeDates();

const { organizationId } = f;
const team = (value: string) => ({ context: { access: { team: value } } });
const forRed = { ...n.toU, ...team("red"), displayHeadlineMessageTemplate: "red" };
const forAll = { ...n.toU, displayHeadlineMessageTemplate: "all" };

/** The document `d` in the folder `inner`, in a workspace that sends e-mails. The user `u` is a member. */
async function withMail(email = "u@example.com"): Promise<Credentials> {
  const as = await f.newOrganization();
  await f.addFolders(as, { folderId: "inner" });
  await f.addDocuments(as, "inner", "d");
  await must(emailconfigUpdate, { as, data: { useEmailService: true } });
  await must(usersAdd, { as, data: { organizationId, users: [{ userId: "u", email }] } });
  return as;
}

/** What `u` is told after `seconds`: the headlines of each e-mail. */
async function told(as: Credentials, seconds = 121): Promise<unknown[][]> {
  later(seconds);
  const box = mailbox();
  await drained(as, box);
  return box.sent.map(({ message }) => message.entries.map((entry) => entry.kind === "notification" && entry.headline));
}

const omitted = [expect.objectContaining({ state: "omitted", error: "What it was about is gone." })];

const grants = [
  ["the organization", f.onOrganization],
  ["the document", (more: object) => f.onDocument("d", more)],
  ["a folder above it", (more: object) => f.onFolder("inner", more)],
] as const;

describe.each(grants)("an access field of a grant on %s", (_, on) => {
  it("that is still there lets the notification be sent", async () => {
    const as = await withMail();
    await f.give(as, "u", on(team("red")));
    await n.send(as, forRed);
    expect(await told(as)).toEqual([["red"]]);
  });

  it("that has changed leaves it out of the message", async () => {
    const as = await withMail();
    await f.give(as, "u", on(team("red")));
    await n.send(as, forRed);
    later(1);
    await n.send(as, forAll);
    await f.give(as, "u", on(team("blue")));
    expect(await told(as)).toEqual([["all"]]);
  });

  it("that has changed ends the message if nothing else remains", async () => {
    const as = await withMail();
    await f.give(as, "u", on(team("red")));
    await n.send(as, forRed);
    await f.give(as, "u", on(team("blue")));
    expect(await told(as)).toEqual([]);
    expect(await messagesOf(as)).toEqual(omitted);
    expect(await leftIn(as)).toEqual({});
  });
});

it("an access field that changes while a digest waits leaves the notification out of it", async () => {
  // The limit of an address is that of all workspaces, so no other test has this one.
  const as = await withMail("full@example.com");
  await f.give(as, "u", f.onOrganization(team("red")));
  await fillAddress({ workspace: as.apiKey }, "full@example.com");
  await n.send(as, forRed);
  later(1);
  await n.send(as, forAll);
  expect(await told(as)).toEqual([]);
  expect(await messagesOf(as)).toMatchObject([{ state: "digest" }]);
  await f.give(as, "u", f.onOrganization(team("blue")));
  expect(await told(as, 2 * 24 * 3_600)).toEqual([["all"]]);
});

describe("with a permission provider, which decides on access alone", () => {
  interface Request {
    userId: string;
    resource: { id: string; type: string };
  }

  async function withProvider(as: Credentials): Promise<void> {
    const respond: RequestListener = async (request, response) => {
      const { requests } = JSON.parse((await request.toArray()).join("")).data as { requests: Request[] };
      const data = requests.map(({ userId, resource: { id: resourceId, type } }) => {
        return { userId, resourceId, type, organizationId, hasAccess: true, accessRole: "viewer" };
      });
      response.end(JSON.stringify({ data, success: true, statusCode: 200 }));
    };
    const permissionProviderConfig = { permissionProviderUrl: `http://127.0.0.1:${await listen(respond)}/` };
    const data = {
      usePermissionProvider: true,
      permissionProviderConfig: { ...permissionProviderConfig, authToken: "s" },
    };
    await must(permissionproviderconfigUpdate, { as, data });
  }

  it.each(grants)("an access field of a grant on %s counts too", async (_, on) => {
    const as = await withMail();
    await withProvider(as);
    await f.give(as, "u", on(team("red")));
    await n.send(as, forRed);
    expect(await told(as)).toEqual([["red"]]);
    await n.send(as, forRed);
    await f.give(as, "u", on(team("blue")));
    expect(await told(as)).toEqual([]);
  });
});

it.each([true, false])(
  "access to the document that has ended ends the message: verifyUserPermissions %s",
  async (verifyUserPermissions) => {
    const as = await withMail();
    await n.send(as, { ...n.toU, verifyUserPermissions });
    const documents = [{ documentId: "d", accessType: "restricted" }];
    await must(documentsUpdate, { as, data: { organizationId, documents } });
    expect(await told(as)).toEqual([]);
    expect(await messagesOf(as)).toMatchObject([
      { state: "omitted", error: "The user has no access to the document." },
    ]);
  },
);
