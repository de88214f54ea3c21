// The life of a comment, in eleven calls (functions/comments/COMMENTS.md).
import { readFileSync } from "node:fs";
import { createClient, failedItems } from "../../dist/client/index.js";

const demo = JSON.parse(readFileSync(".data/demo.json", "utf8"));
const client = createClient({ url: "http://127.0.0.1:8787", ...demo });
const reader = createClient({ url: "http://127.0.0.1:8787", ...demo, authToken: demo.readToken });
const alice = { userId: "alice", name: "Alice Meyer" };
const bob = { userId: "bob", name: "Bob Okoro" };
// Another organization at each run.
const place = { organizationId: `comments-${Date.now()}`, documentId: "plan" };
const thread = { ...place, annotationId: "thread-1" };

/** Prints the results of a call. Throws if an item failed. */
function print(what, results) {
  for (const { key, message } of failedItems(results)) throw new Error(`${what}: ${key}: ${message}`);
  console.log(what, JSON.stringify(results));
}

// 1 and 2: an organization with a document.
const organizations = [{ organizationId: place.organizationId }];
print("organization", await client.organizationsAdd({ organizations }));
const documents = [{ documentId: place.documentId }];
print("document", await client.documentsAdd({ organizationId: place.organizationId, documents }));

// 3: Alice comments on a page of the document. Bob is tagged, so the annotation is in his export too.
const first = { commentId: "comment-1", from: alice, text: "Shall we?", taggedUsers: [bob] };
const added = await client.documentsDataAdd({
  ...place,
  location: { id: "page-1", locationName: "Page 1" },
  comments: [{ annotationId: "thread-1", from: alice, status: "OPEN", comments: [first] }],
  actionUser: alice,
});
console.log("comment", JSON.stringify(added));

// 4: Bob replies. Replies that are added at the same time are all kept.
const reply = { commentId: "comment-2", from: bob, text: "Yes." };
print("reply", await client.commentsAdd({ ...thread, comments: [reply], actionUser: bob }));

// 5: Bob corrects his reply.
const correction = { commentId: "comment-2", text: "Yes, on Monday.", actionUser: bob };
console.log("correction", JSON.stringify(await client.commentsUpdate({ ...thread, ...correction })));

// 6: Alice assigns the thread to Bob. null would clear a field.
const update = { status: "IN_PROGRESS", priority: "P1", assignedTo: bob, metadata: { colour: "green" } };
const assignment = { ...place, annotationIds: ["thread-1"], update, actionUser: alice };
print("assignment", await client.commentannotationsUpdate(assignment));

// 7: Bob resolves the thread. OPEN would open it again.
const resolved = { ...place, annotationIds: ["thread-1"], update: { status: "RESOLVED" }, actionUser: bob };
print("resolution", await client.commentannotationsUpdate(resolved));

// 8: what is assigned to Bob, the newest first. The read token suffices.
const { items } = await reader.documentsDataGet({ ...place, kind: "comments", filters: { assignedTo: "bob" } });
console.log(
  items[0].status,
  items[0].comments.map(({ text }) => text),
);

// 9: Alice deletes one comment. The annotation stays.
print("deletion", await client.commentsDelete({ ...thread, commentIds: ["comment-1"], actionUser: alice }));

// 10: she deletes the annotation with all its comments.
const all = { ...place, kind: "comments", ids: ["thread-1"], actionUser: alice };
print("deletion", await client.documentsDataDelete(all));

// 11: nothing is left.
const { items: rest } = await reader.documentsDataGet({ ...place, kind: "comments" });
console.log(`${rest.length} annotations are left.`);
