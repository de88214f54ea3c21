// Calls whose work grows with the data. A scene stores `size` items, makes a call that affects all of them, and runs
// its jobs.
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import type { Write } from "../../../lib/dynamodb/write.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { identityOf } from "../../../lib/schema/location.ts";
import * as AuthToken from "../../../lib/store/access/auth-token.ts";
import { documentGrantEntity } from "../../../lib/store/access/grant.ts";
import * as GrantUids from "../../../lib/store/access/grant-uids.ts";
import { userEntity } from "../../../lib/store/access/user.ts";
import * as Document from "../../../lib/store/content/document.ts";
import * as LocationChanges from "../../../lib/store/content/location-changes.ts";
import * as Owner from "../../../lib/store/content/owner.ts";
import * as Feature from "../../../lib/store/features/feature.ts";
import type { DocumentDataRef, DocumentUid } from "../../../lib/store/refs.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { callAs } from "../calls.ts";
import type { Credentials } from "../event.ts";
import type { Line } from "../log-lines.ts";
import { runJobs } from "./jobs.ts";
import { type Measured, measure } from "./measure.ts";

export interface Outcome {
  /** The log line of the call, without its jobs. */
  call: Line;
  /** The cost of its jobs; absent if it has none. */
  jobs?: Measured;
}

type Scene = (size: number) => Promise<Outcome>;

const organizationId = "large";
const at = "2026-01-01T00:00:00.000Z";
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `u${index}`);

async function must(as: Credentials, name: string, data: object) {
  const { statusCode, body, line } = await callAs(as, name, { organizationId, ...data });
  if (statusCode !== 200) throw new Error(`${name} returned ${statusCode}: ${body}`);
  return { line, body: JSON.parse(body) };
}

/** A workspace with an organization and the document `d`. */
async function newDocument() {
  const { apiKey } = await Workspace.create({ name: "large" });
  const as = { apiKey, ...(await AuthToken.create({ workspace: apiKey })) };
  await must(as, "organizations-add", { organizations: [{ organizationId }] });
  await must(as, "documents-add", { documents: [{ documentId: "d" }] });
  const document = await Document.get({ workspace: apiKey, organizationId, documentId: "d" });
  return { as, documentUid: document?.documentUid as DocumentUid };
}

async function withJobs(as: Credentials, name: string, data: object): Promise<Outcome> {
  const { line } = await must(as, name, data);
  return { call: line, jobs: await measure(() => runJobs(as.apiKey)) };
}

const putOf = (write: Write) => ("put" in write ? [{ put: write.put }] : []);

/** Adds a location with `count` reactions of one user. Each has an item, and an entry in the user's history. */
async function fillLocation(document: DocumentDataRef, id: string, count: number) {
  const { locationUid, writes } = LocationChanges.creation(document, identityOf({ id }), { id });
  await commit(writes);
  await Owner.name(document, { organizationId, documentId: "d" });
  const reactions = Array.from({ length: count }, (_, index) => {
    const record = JSON.stringify({ reactionId: `${index}`, from: { userId: "u" } });
    const ref = { ...document, organizationId, locationUid, kind: "reactions" as const, id: `${id}-${index}` };
    return Feature.creation(ref, { record, participants: ["u"], at }).writes;
  });
  await putAll(reactions.flat().flatMap(putOf));
}

export const scenes: Record<string, Scene> = {
  "fan-out to recipients": async (size) => {
    const { as } = await newDocument();
    const organization = { workspace: as.apiKey, organizationId };
    const member = { organizationId, accessRole: "viewer", createdAt: at, updatedAt: at } as const;
    await putAll(numbered(size).map((userId) => userEntity.put({ ...organization, userId }, { ...member, userId })));
    return withJobs(as, "notifications-add", {
      documentId: "d",
      actionUser: { userId: "u0" },
      displayHeadlineMessageTemplate: "{actionUser} finished",
      displayBodyMessage: "Have a look.",
      notifyUsers: [],
    });
  },

  "purge of reactions": async (size) => {
    const { as, documentUid } = await newDocument();
    await fillLocation({ workspace: as.apiKey, documentUid }, "page", size);
    return withJobs(as, "documents-delete", { documentIds: ["d"] });
  },

  "migration with grants that follow": async (size) => {
    const { as } = await newDocument();
    const workspace = as.apiKey;
    const reserved = await GrantUids.reserve({ workspace, organizationId }, ["e"]);
    const ref = { workspace, documentUid: reserved.get("e")?.documentUid as DocumentUid };
    const grant = { generation: 0, accessRole: "viewer" } as const;
    await putAll(numbered(size).map((userId) => documentGrantEntity.put({ ...ref, userId }, { ...grant, userId })));
    return withJobs(as, "documents-migrate", { documentId: "d", newDocumentId: "e" });
  },

  "merge of two locations": async (size) => {
    const { as, documentUid } = await newDocument();
    for (const id of ["a", "b"]) await fillLocation({ workspace: as.apiKey, documentUid }, id, size / 2);
    const migrate = { oldLocation: { id: "a" }, newLocation: { id: "b" } };
    const { line } = await must(as, "locations-update", { ...as, documentId: "d", migrate, merge: true });
    return { call: line };
  },

  "export, its last page of 100": async (size) => {
    const { as, documentUid } = await newDocument();
    await fillLocation({ workspace: as.apiKey, documentUid }, "page", size);
    let line: Line | undefined;
    for (let pageToken: string | null | undefined; pageToken !== null; ) {
      const page = await must(as, "users-data-get", { userId: "u", ...(pageToken && { pageToken }) });
      line = page.line;
      pageToken = page.body.result.nextPageToken as string | null;
    }
    return { call: line as Line };
  },
};
