import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { emailconfigUpdate } from "../../../functions/messages/emailconfig-update.ts";
import { slackconfigUpdate } from "../../../functions/messages/slackconfig-update.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { permissionproviderconfigUpdate } from "../../../functions/workspace-settings/permissionproviderconfig-update.ts";
import { slotCounts } from "../../../lib/store/waiting-slot.ts";
import { type Credentials, must } from "../../support/call.ts";
import { addTo } from "../../support/comments.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import {
  ann,
  bob,
  drained,
  fannedOut,
  leftIn,
  mailbox,
  mention,
  messagesOf,
  withMail,
} from "../../support/messages.ts";
import { listen } from "../../support/net/listen.ts";
import { itemsOf } from "../../support/scan.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();

async function endOf(as: Credentials, name: "email" | "slack" = "email") {
  later(121);
  const box = { ...mailbox(), name };
  await drained(as, box);
  expect(box.sent).toEqual([]);
  return messagesOf(as);
}

describe("what waits while it is turned off has a reason that says what is off", () => {
  it("e-mail", async () => {
    const as = await withMail();
    await mention(as);
    await fannedOut(as);
    await must(emailconfigUpdate, { as, data: { useEmailService: false } });
    const error = expect.stringMatching(/turned e-mail off.*useEmailService.*emailconfig/);
    expect(await endOf(as)).toMatchObject([{ state: "failed", attempts: 0, error }]);
  });

  it("Slack", async () => {
    const as = await withMail();
    await must(emailconfigUpdate, { as, data: { useEmailService: false } });
    await must(slackconfigUpdate, { as, data: { isEnabled: true, botToken: "xoxb-a" } });
    await mention(as);
    await fannedOut(as);
    await must(slackconfigUpdate, { as, data: { isEnabled: false } });
    const error = expect.stringMatching(/turned Slack off.*isEnabled.*slackconfig/);
    expect(await endOf(as, "slack")).toMatchObject([{ state: "failed", attempts: 0, error }]);
  });

  it("a trigger", async () => {
    const as = await withMail();
    await mention(as);
    await fannedOut(as);
    const triggers = { "comment.add": false, "comment_annotation.add": false };
    await must(emailconfigUpdate, { as, data: { emailServiceConfig: { triggers } } });
    const error = expect.stringMatching(/triggers: .*comment\.add/);
    expect(await endOf(as)).toMatchObject([{ state: "omitted", error }]);
  });
});

describe("a permission provider", () => {
  interface Request {
    userId: string;
    resource: { id: string; type: string; organizationId: string };
  }

  /** Allows everything while `isUp`, and fails otherwise. */
  async function withProvider(as: Credentials) {
    const state = { isUp: false };
    const respond: RequestListener = async (request, response) => {
      const text = Buffer.concat(await request.toArray()).toString("utf8");
      if (!state.isUp) return void response.writeHead(500).end("{}");
      const { requests } = JSON.parse(text).data as { requests: Request[] };
      const data = requests.map(({ userId, resource: { id, type, organizationId: own } }) => ({
        ...{ userId, resourceId: id, type, organizationId: own },
        ...{ hasAccess: true, accessRole: "viewer" },
      }));
      response.end(JSON.stringify({ data, success: true, statusCode: 200 }));
    };
    const permissionProviderUrl = `http://127.0.0.1:${await listen(respond)}/`;
    const permissionProviderConfig = { permissionProviderUrl, authToken: "secret" };
    await must(permissionproviderconfigUpdate, { as, data: { usePermissionProvider: true, permissionProviderConfig } });
    return state;
  }

  it("that does not answer loses no message: it is sent later", async () => {
    const as = await withMail();
    const provider = await withProvider(as);
    await mention(as);
    await fannedOut(as);
    later(121);
    const box = mailbox();
    expect(await drained(as, box)).toBeGreaterThan(Date.now());
    const error = expect.stringContaining("permission provider");
    expect(await messagesOf(as)).toMatchObject([{ state: "waiting", attempts: 1, error }]);
    provider.isUp = true;
    later(120);
    expect(await drained(as, box)).toBeUndefined();
    expect(box.sent.length).toBe(1);
    expect(await leftIn(as)).toEqual({});
  });

  it("is asked without the slots of the workspace's calls, so many messages at once are all sent", async () => {
    const as = await withMail();
    const provider = await withProvider(as);
    provider.isUp = true;
    const many = Array.from({ length: slotCounts.provider + 10 }, (_, index) => ({ userId: `u${index}` }));
    const users = many.map(({ userId }) => ({ userId, email: `${userId}@example.com` }));
    await must(usersAdd, { as, data: { organizationId, users } });
    await mention(as);
    await addTo(as, [{ commentId: "c2", from: ann, text: "All?", taggedUsers: [bob, ...many] }]);
    await fannedOut(as);
    later(121);
    const box = mailbox();
    expect(await drained(as, box)).toBeUndefined();
    expect(box.sent.length).toBe(many.length + 1);
    expect((await itemsOf(as.apiKey)).filter(({ entity }) => entity === "waiting-slot")).toEqual([]);
  });
});
