// Fixtures of the tests of locations and feature data.

import { documentsDataAdd } from "../../functions/comments/documents-data-add.ts";
import { locationsDataDelete } from "../../functions/locations/locations-data-delete.ts";
import { locationsUpdate } from "../../functions/locations/locations-update.ts";
import { usersDataGet } from "../../functions/personal-data/users-data-get.ts";
import { inParallel } from "../../lib/concurrency.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import type { Handler } from "../../lib/http/lambda.ts";
import { commit } from "../../lib/jobs/commit.ts";
import { storedContent } from "../../lib/notifications/stored-content.ts";
import type { Person } from "../../lib/schema/person.ts";
import * as Document from "../../lib/store/content/document.ts";
import * as Owner from "../../lib/store/content/owner.ts";
import * as Notification from "../../lib/store/notifications/notification.ts";
import * as Recipients from "../../lib/store/notifications/recipients.ts";
import type { DocumentUid } from "../../lib/store/refs.ts";
import { mockAws } from "./aws/mock.ts";
import { type Credentials, call, must, type Reply } from "./call.ts";
import { addDocuments, callSource, newOrganization, organizationId } from "./workspace.ts";

export const documentId = "d";
const repeated = { apiKey: "{apiKey}", authToken: "{authToken}" };

/** A workspace with the organization `o`, and in it the document `d`. */
export async function newDocument(): Promise<Credentials> {
  const as = await newOrganization();
  await addDocuments(as, undefined, documentId);
  return as;
}

export const person = (userId: string) => ({ userId });
export const reaction = (reactionId: string, userId = "u") => ({ reactionId, from: person(userId) });
export const reactions = (count: number, userId = "u") =>
  Array.from({ length: count }, (_, index) => reaction(`r${index}`, userId));

export const notifiedAt = "2026-01-31T12:00:00.000Z";

/** Adds notifications with these `notifyUsers`. Only the first user gets them. */
export async function notify(
  { apiKey: workspace }: Credentials,
  documentUid: DocumentUid,
  count: number,
  notifyUsers: Person[] = [{ userId: "u", name: "U" }, { userId: "v" }],
): Promise<void> {
  const content = storedContent({
    actionUser: { userId: "ann" },
    notifyUsers,
    notifyAll: false,
    displayHeadlineMessageTemplate: "For {recipientUser}",
    displayBodyMessage: "Look.",
  });
  const refs = Array.from({ length: count }, (_, index) => {
    return { workspace, organizationId, documentUid, at: notifiedAt, notificationId: `n${index}` };
  });
  await Owner.name({ workspace, documentUid }, { organizationId, documentId });
  await inParallel(refs, 8, async (ref) => {
    await commit(Notification.creation(ref, { documentId, actorId: "ann", content }));
    await Recipients.add(ref, content.length, [{ userId: notifyUsers[0]?.userId as string, generation: 0 }]);
  });
}

export const documentUidOf = async ({ apiKey: workspace }: Credentials): Promise<DocumentUid> =>
  (await Document.get({ workspace, organizationId, documentId }))?.documentUid as DocumentUid;

export const add = (as: Credentials, location: object, features: object) =>
  must(documentsDataAdd, { as, data: { organizationId, documentId, location, ...features } });

/** Calls locations-update; `more` replaces fields of the request. */
export const update = (as: Credentials, oldLocation: object, newLocation: object, more: object = {}): Promise<Reply> =>
  call(locationsUpdate, {
    as,
    data: { ...repeated, organizationId, documentId, migrate: { oldLocation, newLocation }, ...more },
  });

/** Calls locations-data-delete; `more` replaces fields of the request. */
export const remove = (as: Credentials, location: object, more: object = {}): Promise<Reply> =>
  call(locationsDataDelete, { as, data: { ...repeated, organizationId, documentId, location, ...more } });

export interface Exported {
  profile: object | null;
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts what it needs
  [list: string]: any;
}

export const lists = ["comments", "reactions", "recordings", "notifications"] as const;

/** Every page of a user's export. */
export async function pagesOf(as: Credentials, userId = "u", between: () => Promise<unknown> = async () => {}) {
  const pages: Exported[] = [];
  let pageToken: string | null = null;
  do {
    const page: Reply = await call(usersDataGet, { as, data: { organizationId, userId, pageToken } });
    if (page.error) throw new Error(page.error.message);
    pages.push(page.body.result.data);
    pageToken = page.body.result.nextPageToken;
    await between();
  } while (pageToken !== null);
  return pages;
}

/** A user's export as one page. */
export async function exportOf(as: Credentials, userId = "u"): Promise<Exported> {
  const pages = await pagesOf(as, userId);
  const joined = lists.map((list) => [list, pages.flatMap((page) => page[list])]);
  return { ...Object.fromEntries(joined), profile: pages[0]?.profile ?? null };
}

/** The location of each of a user's reactions, by the reaction's id. */
export async function placesOf(as: Credentials, userId = "u"): Promise<Record<string, object>> {
  const { reactions } = await exportOf(as, userId);
  return Object.fromEntries(
    reactions.map((each: { reactionId: string; location: object }) => [each.reactionId, each.location]),
  );
}

/** The AWS calls of a handler's source over a table with `items`, in a container that has cached the credentials. */
export async function callsOf(handler: Handler, endpoint: Pick<Endpoint, "name">, data: object, items: object[]) {
  const aws = mockAws(items as Record<string, unknown>[]);
  await callSource(handler, endpoint, data);
  for (const client of [aws.dynamo, aws.kms, aws.sqs]) client.resetHistory();
  const status = await callSource(handler, endpoint, data);
  const calls = aws.calls();
  aws.restore();
  return { status, calls };
}
