// What grows: each scene stores `size` items, makes the call that concerns all of them, and runs its jobs to their end.

import type { Write } from "../../../lib/dynamodb/write.ts";
import { commit, putAll } from "../../../lib/jobs/commit.ts";
import { identityOf } from "../../../lib/schema/location.ts";
import * as AuthToken from "../../../lib/store/auth-token.ts";
import * as Document from "../../../lib/store/document.ts";
import * as Feature from "../../../lib/store/feature.ts";
import { keys } from "../../../lib/store/keys.ts";
import * as LocationStore from "../../../lib/store/location.ts";
import * as Owner from "../../../lib/store/owner.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { callAs } from "../calls.ts";
import type { Credentials } from "../event.ts";
import type { Line } from "../log-lines.ts";
import { runJobs } from "./jobs.ts";
import { type Measured, measure } from "./measure.ts";

export interface Outcome {
  /** The call alone, as logged. */
  call: Line;
  /** Its jobs; absent where it has none. */
  jobs?: Measured;
}

type Scene = (size: number) => Promise<Outcome>;

const organizationId = "large";
const at = "2026-01-01T00:00:00.000Z";
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `u${index}`);

async function must(as: Credentials, name: string, data: object) {
  const { statusCode, body, line } = await callAs(as, name, { organizationId, ...data });
  if (statusCode !== 200) throw new Error(`${name} answered ${statusCode}: ${body}`);
  return { line, body: JSON.parse(body) };
}

/** A workspace with an organization and the document `d`. */
async function newDocument() {
  const { apiKey } = await Workspace.create({ name: "large" });
  const as = { apiKey, ...(await AuthToken.create(apiKey)) };
  await must(as, "organizations-add", { organizations: [{ organizationId }] });
  await must(as, "documents-add", { documents: [{ documentId: "d" }] });
  const [document] = await Document.getMany(apiKey, organizationId, ["d"]);
  return { as, uid: document?.uid ?? "" };
}

async function withJobs(as: Credentials, name: string, data: object): Promise<Outcome> {
  const { line } = await must(as, name, data);
  return { call: line, jobs: await measure(() => runJobs(as.apiKey)) };
}

const itemOf = (write: Write) => ("put" in write ? [write.put] : []);

/** A location with that many reactions of one user: an item and an entry of the history each. */
async function fillLocation({ apiKey: workspace }: Credentials, uid: string, id: string, count: number) {
  const { luid, writes } = LocationStore.creation([workspace, uid], identityOf({ id }), { id });
  await commit(writes);
  await Owner.name(workspace, uid, { organizationId, documentId: "d" });
  const place = { workspace, organizationId, uid, luid };
  const reactions = Array.from({ length: count }, (_, index) => {
    const record = JSON.stringify({ reactionId: `${index}`, from: { userId: "u" } });
    const name = { kind: "reactions" as const, id: `${id}-${index}` };
    return Feature.writing(place, name, { record, participants: ["u"], at }, undefined).writes;
  });
  await putAll(reactions.flat().flatMap(itemOf));
}

export const scenes: Record<string, Scene> = {
  "fan-out to recipients": async (size) => {
    const { as } = await newDocument();
    const members = numbered(size).map((userId) => ({ ...keys.user(as.apiKey, organizationId, userId), userId }));
    await putAll(members.map((each) => ({ ...each, accessRole: "viewer", createdAt: at })));
    return withJobs(as, "notifications-add", {
      documentId: "d",
      actionUser: { userId: "u0" },
      displayHeadlineMessageTemplate: "{actionUser} finished",
      displayBodyMessage: "Have a look.",
      notifyUsers: [],
    });
  },

  "purge of reactions": async (size) => {
    const { as, uid } = await newDocument();
    await fillLocation(as, uid, "page", size);
    return withJobs(as, "documents-delete", { documentIds: ["d"] });
  },

  "migration with grants that follow": async (size) => {
    const { as } = await newDocument();
    const uids = await Document.uidsOf(as.apiKey, organizationId, ["e"]);
    const grants = numbered(size).map((userId) => ({
      ...keys.documentGrant(as.apiKey, uids.get("e") ?? "", userId),
      ...{ userId, life: 0, accessRole: "viewer" },
    }));
    await putAll(grants);
    return withJobs(as, "documents-migrate", { documentId: "d", newDocumentId: "e" });
  },

  "merge of two locations": async (size) => {
    const { as, uid } = await newDocument();
    for (const id of ["a", "b"]) await fillLocation(as, uid, id, size / 2);
    const migrate = { oldLocation: { id: "a" }, newLocation: { id: "b" } };
    const { line } = await must(as, "locations-update", { ...as, documentId: "d", migrate, merge: true });
    return { call: line };
  },

  "export, its last page of 100": async (size) => {
    const { as, uid } = await newDocument();
    await fillLocation(as, uid, "page", size);
    let line: Line | undefined;
    for (let pageToken: string | null | undefined; pageToken !== null; ) {
      const page = await must(as, "users-data-get", { userId: "u", ...(pageToken && { pageToken }) });
      line = page.line;
      pageToken = page.body.result.nextPageToken as string | null;
    }
    return { call: line as Line };
  },
};
