import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { addFeatures, type Outcome } from "../../lib/features/add-features.ts";
import { newFeatures, withTimes } from "../../lib/features/feature-events.ts";
import { requireDocument } from "../../lib/features/find-document.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import type { FeatureKind } from "../../lib/schema/feature-kinds.ts";
import { Features, fewFeatures, fewParticipations, someFeatures } from "../../lib/schema/features.ts";
import { DocumentId, OrganizationId } from "../../lib/schema/fields.ts";
import { unsentByUsers } from "../../lib/schema/for-users.ts";
import { byId, done, failed, ItemResult } from "../../lib/schema/item-result.ts";
import { asStored, Location } from "../../lib/schema/location.ts";
import { ActionUser } from "../../lib/schema/person.ts";
import { Flag, optional } from "../../lib/schema/primitives.ts";

const alice = { userId: "alice", name: "Alice Meyer", email: "alice@example.com" };
const bob = { userId: "bob", name: "Bob Okoro" };
const createdAt = "2026-01-31T12:00:00.000Z";
const results = z.record(z.string(), ItemResult);

export const documentsDataAdd = endpoint({
  name: "documents-data-add",
  path: "/v2/organizations/documents/data/add",
  summary: "Add comments, reactions and recordings",
  description:
    "Add comments, reactions and recordings to a location. An item with a known id is replaced; a user cannot replace one.",
  users: "edit",
  grants: ["table:read", "table:write", "table:delete"],
  events: [
    "comment.add",
    "comment.delete",
    "comment.update",
    "comment_annotation.add",
    "comment_annotation.assign",
    "comment_annotation.priority_change",
    "comment_annotation.status_change",
    "comment_annotation.update",
    "reaction.add",
    "recorder.done",
  ],
  errors: ["NOT_FOUND"],
  data: z
    .object({
      organizationId: OrganizationId,
      documentId: DocumentId,
      location: Location,
      ...Features,
      actionUser: optional(ActionUser),
      silent: unsentByUsers(
        optional(
          Flag.check(
            z.describe("true: sends no webhooks and no messages, for imports. The activity log records the events."),
          ),
        ),
      ),
    })
    .check(someFeatures, fewFeatures, fewParticipations),
  example: {
    organizationId: "acme",
    documentId: "plan",
    location: { id: "page-1", locationName: "Page 1" },
    comments: [
      {
        annotationId: "annotation-1",
        from: alice,
        status: "OPEN",
        priority: "P1",
        assignedTo: bob,
        comments: [{ commentId: "comment-1", from: alice, text: "Shall we?", taggedUsers: [bob], createdAt }],
        createdAt,
        metadata: { colour: "red" },
      },
    ],
    reactions: [{ reactionId: "reaction-1", from: bob, icon: "👍", annotationId: "annotation-1", createdAt }],
    recordings: [{ recordingId: "recording-1", from: alice, type: "video", url: "https://example.com/1", createdAt }],
  },
  reply: z.object({
    comments: results.check(z.describe("A result for each comment annotation, by its id.")),
    reactions: results.check(z.describe("A result for each reaction, by its id.")),
    recordings: results.check(z.describe("A result for each recording, by its id.")),
  }),
  timeoutSeconds: 25,
  message: "Feature data added.",

  async handle({ data, caller }) {
    const document = await requireDocument(caller.ref, data);
    const location = asStored(data.location);
    const given = caller.user ? withTimes(data, new Date().toISOString()) : data;
    const features = newFeatures(document, given, {
      location,
      actionUserId: data.actionUser?.userId,
      isSilent: data.silent === true,
    });
    const outcome = await addFeatures(document, location, features, { replaces: caller.user === undefined });
    return { comments: resultsOf("comments"), reactions: resultsOf("reactions"), recordings: resultsOf("recordings") };

    function resultsOf(kind: FeatureKind) {
      const added = features.filter((each) => each.kind === kind);
      return byId(added.map((each) => [each.id, resultOf(each.id, outcome.get(each) as Outcome)]));
    }
  },
});
export const handler = lambda(documentsDataAdd, forUsers);

function resultOf(id: string, outcome: Outcome): ItemResult {
  if (outcome === "elsewhere") return failed(id, "already-exists", "Another location of the document has this id.");
  if (outcome === "taken") return failed(id, "already-exists", "The document has an item with this id.");
  return done(id, { added: "Added.", replaced: "Replaced.", unchanged: "Unchanged." }[outcome]);
}
