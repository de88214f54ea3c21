// What starts jobs of every kind.
import * as Y from "yjs";
import { anyValue } from "../../lib/dynamodb/write.ts";
import { beginErasure } from "../../lib/erasure/begin.ts";
import { jobKinds } from "../../lib/grants.ts";
import { commit } from "../../lib/jobs/commit.ts";
import * as Blob from "../../lib/store/blob.ts";
import { newJob } from "../../lib/store/job.ts";
import * as WebhookEndpoint from "../../lib/store/webhooks/webhook-endpoint.ts";
import { removeWorkspace } from "../../lib/workspace/workspaces.ts";
import { type Credentials, must, newWorkspace } from "../support/call.ts";
import { dataOf, named, posts } from "../support/contract/requests.ts";
import { itemsOf } from "../support/scan.ts";
import type { Outside } from "./outside.ts";
import type { Team } from "./team.ts";

const organizationId = "acme";
/** Longer than a webhook endpoint may fail. */
const failingMs = 6 * 24 * 3_600_000;

/** So large that it is merged without further ones. */
const update = textUpdate("a".repeat(200_000));

/** How many calls in a row may fail in that way. */
const editorsMax = 5;

function textUpdate(text: string): string {
  const document = new Y.Doc();
  document.getText("content").insert(0, text);
  return Buffer.from(Y.encodeStateAsUpdate(document)).toString("base64");
}

/** Makes calls, and runs the jobs that they start. */
export async function runScenes(team: Team, { url, flakyUrl, failingUrl }: Outside): Promise<void> {
  const { as, senders, runAll } = team;
  const set = (name: string, data: object) => must(named(name), { as, data });
  await mentionBob(team);
  await set("webhook-endpoints-create", { url: flakyUrl });
  const { id: endpointId } = await set("webhook-endpoints-create", { url: failingUrl });
  // The next failure disables it, which is an event for other endpoints.
  const failing = { failingSince: Date.now() - failingMs, failedMessages: ["one", "two", "three"] };
  await WebhookEndpoint.update({ workspace: as.apiKey, endpointId }, { set: failing }, { id: anyValue });
  await set("permissions-add", dataOf(named("permissions-add")));
  const permissionProviderConfig = { permissionProviderUrl: url, authToken: "secret" };
  await set("permissionproviderconfig-update", { usePermissionProvider: true, permissionProviderConfig });
  const notification = {
    ...dataOf(named("notifications-add")),
    notifyUsers: [{ userId: "bob" }, { userId: "carol" }],
    context: null,
  };
  for (const verifyUserPermissions of [true, false]) {
    const notificationId = `verified-${verifyUserPermissions}`;
    await senders.send("notifications-add", { ...notification, notificationId, verifyUserPermissions });
  }
  await fillEditor(team);
  // The document is deleted below, and a notification of a deleted one gets no recipients.
  await runAll(as.apiKey);
  await senders.send("documents-add", { organizationId, documents: [{ documentId: "one" }] });
  // A grant that waits for the migration.
  const resources = [{ type: "document", id: "two", organizationId }];
  await set("permissions-add", { user: { userId: "alice" }, permissions: { resources } });
  await senders.send("documents-migrate", { organizationId, documentId: "one", newDocumentId: "two" });
  await senders.send("documents-delete", { organizationId, documentIds: ["plan"] });
  // Its job causes the event of each deleted folder.
  await set("folders-add", { organizationId, folders: [{ folderId: "old" }] });
  await senders.send("folders-delete", { organizationId, folderIds: ["old"], recursive: true });
  await runAll(as.apiKey);
  await startOthers(team);
}

/** Starts the kinds of jobs that have not run, by the example of an endpoint that may send them. */
async function startOthers({ as, senders, runAll, runsOf }: Team): Promise<void> {
  const notRun = jobKinds.filter((kind) => runsOf(kind).length === 0);
  const starters = notRun.map((kind) => posts.find(({ grants }) => grants.includes(`queue:${kind}`)));
  for (const each of starters) if (each) await senders.send(each.name, dataOf(each));
  await runAll(as.apiKey);
}

/**
 * Adds content that has to be merged. A call can store its update and then fail, on a busy machine. Its repetition wakes
 * no merge, since the merge was due before it. Then another editor gets the content.
 */
async function fillEditor({ as, senders }: Team): Promise<void> {
  const isMerging = async () => (await itemsOf(as.apiKey)).some(({ kind }) => kind === "merge");
  for (let number = 1; number <= editorsMax && !(await isMerging()); number++) {
    const editorId = `long-${number}`;
    await senders.send("crdt-update", { organizationId, documentId: "plan", editorId, type: "text", update });
  }
}

/**
 * A comment that is recorded in the activity log, and that nobody can send: no address leads out of here. SES reports a
 * bounce of another mail.
 */
async function mentionBob({ as, senders, rehearsal: { queues }, runAll }: Team): Promise<void> {
  const set = (name: string, data: object) => must(named(name), { as, data });
  const emailServiceConfig = { type: "external", apiKey: "SG.key", fromEmail: "notes@example.com" };
  await set("emailconfig-update", { useEmailService: true, emailServiceConfig });
  await set("slackconfig-update", { isEnabled: true, botToken: "xoxb-1-a" });
  await set("activityconfig-update", { activityServiceConfig: { isEnabled: true } });
  const users = ["bob", "carol"].map((userId) => ({ userId, email: `${userId}@example.com` }));
  await set("users-add", { organizationId, users });
  const comment = { commentId: "mention", from: { userId: "alice" }, text: "Bob?", taggedUsers: [{ userId: "bob" }] };
  await senders.send("comments-add", {
    ...dataOf(named("comments-add")),
    actionUser: comment.from,
    comments: [comment],
  });
  const bounce = {
    bounceType: "Permanent",
    bouncedRecipients: [{ emailAddress: "gone@example.com" }],
    timestamp: new Date().toISOString(),
  };
  const detail = { eventType: "Bounce", bounce, mail: { tags: { workspace: [as.apiKey] } } };
  const MessageBody = JSON.stringify({ source: "aws.ses", "detail-type": "Email Bounced", detail });
  queues.respond("SendMessage", { QueueUrl: "feedback", MessageBody, MessageGroupId: as.apiKey }, "");
  // Later, the permission provider gives nobody access to the document.
  await runAll(as.apiKey);
}

/** Work whose messages are lost. Returns a workspace that is deleted. */
export async function loseMessages({ apiKey }: Credentials): Promise<string> {
  await beginErasure(apiKey, { organizationId, userIds: ["alice"] });
  const deleted = await newWorkspace();
  const ref = { workspace: deleted.apiKey };
  await Blob.put(ref, "file", Buffer.from("text"));
  await removeWorkspace(ref);
  // A job of each kind, so that the sweeper needs every queue. No worker gets them.
  await commit([], { jobs: jobKinds.map((kind) => newJob(kind, "nobody", {})) });
  return deleted.apiKey;
}
