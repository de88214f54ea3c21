// The story that the console shows in its tests and pictures: Acme plans a launch.

/** Calls an endpoint. Returns `data` of its reply, which the test knows. */
export type Post = <T = unknown>(path: string, data: object) => Promise<T>;

export const alice = { userId: "alice", name: "Alice Meyer", email: "alice@example.com" };
export const bob = { userId: "bob", name: "Bob Okafor", email: "bob@example.com" };
const chidi = { userId: "chidi", name: "Chidi Anand", email: "chidi@example.com" };

export const organizationId = "acme";
export const documentId = "launch-plan";

interface Receivers {
  /** URL of a receiver that accepts deliveries. */
  good: string;
  /** URL of a receiver that refuses them. */
  failing: string;
}

/** Tells the story through the API. */
export async function tellStory(post: Post, { good, failing }: Receivers): Promise<void> {
  await configure(post, { good, failing });
  await addContent(post);
  await addComments(post);
  await addMemory(post);
}

async function configure(post: Post, { good, failing }: Receivers) {
  await post("/v2/workspace/activityconfig/update", { activityServiceConfig: { isEnabled: true } });
  await post("/v2/workspace/emailconfig/update", { useEmailService: true, emailBatchSeconds: 0 });
  await post("/v2/workspace/domains/add", { domains: ["app.example.com"] });
  await post("/v2/workspace/advancedwebhookconfig/update", { isEnabled: true });
  const create = "/v2/workspace/advancedwebhook/endpoints/create";
  await post(create, { url: good, description: "Sends comments to the team's chat" });
  const filterTypes = ["comment.add", "comment_annotation.status_change"];
  await post(create, { url: failing, description: "Billing, moved last week", filterTypes });
}

async function addContent(post: Post) {
  const organizations = [
    { organizationId, organizationName: "Acme" },
    { organizationId: "globex", organizationName: "Globex" },
  ];
  await post("/v2/organizations/add", { organizations });
  const folders = [
    { folderId: "plans", folderName: "Plans" },
    { folderId: "contracts", folderName: "Contracts", accessType: "restricted" },
  ];
  await post("/v2/organizations/folders/add", { organizationId, folders });
  await post("/v1/organizations/documents/add", {
    organizationId,
    folderId: "plans",
    documents: [
      { documentId, documentName: "Launch plan", metadata: { url: "https://app.example.com/documents/launch-plan" } },
      { documentId: "budget", documentName: "Budget 2027" },
    ],
  });
  const documents = [{ documentId: "handbook", documentName: "Handbook", accessType: "public" }];
  await post("/v1/organizations/documents/add", { organizationId, documents });
  await post("/v2/users/add", { organizationId, users: [{ ...bob, accessRole: "viewer" }] });
  await post("/v2/users/add", { organizationId, folderId: "plans", users: [{ ...alice, accessRole: "editor" }] });
  await post("/v2/users/add", { organizationId, documentId, users: [{ ...chidi, accessRole: "viewer" }] });
  const group = { organizationUserGroupId: "reviewers", organizationUserGroupName: "Reviewers" };
  await post("/v2/organizations/usergroups/add", { organizationId, organizationUserGroups: [group] });
  const { organizationUserGroupId } = group;
  const userIds = [alice.userId, bob.userId];
  await post("/v1/organizations/usergroups/users/add", { organizationId, organizationUserGroupId, userIds });
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

async function addComments(post: Post) {
  const place = { organizationId, documentId };
  const add = "/v2/organizations/documents/data/add";
  const text = "@Bob, can you check the dates?";
  const question = { commentId: "c1", from: alice, text, taggedUsers: [bob], createdAt: hoursAgo(2) };
  const answer = { commentId: "c2", from: bob, text: "The first week of March works.\nI ask the printers today." };
  const thread = { annotationId: "dates", from: alice, status: "OPEN", priority: "P1", assignedTo: bob };
  await post(add, {
    ...place,
    location: { id: "page-1", locationName: "Page 1, Timeline" },
    comments: [{ ...thread, comments: [question] }],
    actionUser: alice,
  });
  const reply = { ...place, annotationId: "dates", comments: [answer], actionUser: bob };
  await post("/v2/commentannotations/comments/add", reply);
  const price = { commentId: "c3", from: chidi, text: "The price is final: 49 a month.", createdAt: hoursAgo(26) };
  await post(add, {
    ...place,
    location: { id: "page-2", locationName: "Page 2, Price" },
    comments: [{ annotationId: "price", from: chidi, status: "RESOLVED", comments: [price] }],
    actionUser: chidi,
  });
  await post("/v2/presence/add", { ...place, users: [alice, bob], lifetimeSeconds: 3_600 });
}

async function addMemory(post: Post) {
  const where = { organizationId, documentId };
  await post("/v2/memory/judgments/add", {
    judgments: [
      {
        ...where,
        decision: "approved",
        reasoning: "The launch date is in March: the printers need six weeks.",
        actionUser: bob,
      },
      {
        ...where,
        decision: "rejected",
        reasoning: "No discount at launch. It would end the price talks.",
        actionUser: alice,
      },
      { ...where, decision: "resolve", reasoning: "The price of 49 a month is final.", actionUser: chidi },
    ],
  });
}
