// The data of `npm start -- --example`, and of the console's tests and pictures: a small team at Acme plans a launch.
import { retryingFetch } from "../client/source/retrying-fetch.ts";
import { lookHeader } from "../console/server/look.ts";

/** Calls an endpoint. Returns `data` of its reply, whose type the caller knows. Throws if the call fails. */
export type Post = <T = unknown>(path: string, data: object) => Promise<T>;

export const alice = { userId: "alice", name: "Alice Meyer", email: "alice@example.com" };
export const bob = { userId: "bob", name: "Bob Okoro", email: "bob@example.com" };
export const carol = { userId: "carol", name: "Carol Silva", email: "carol@example.com" };

export const organizationId = "acme";
export const documentId = "plan";
const domain = "app.example.com";
/** Added last, so it shows that all of the data is there. Adding the other data again changes nothing. */
const lastOrganizationId = "globex";

interface Receivers {
  /** URL of a receiver that accepts deliveries. */
  good: string;
  /** URL of a receiver that refuses them. */
  failing: string;
}

interface Service {
  url: string;
  apiKey: string;
  authToken: string;
}

/** Calls that a busy machine does not answer in time are repeated, as the client repeats them. */
export function posterTo({ url, apiKey, authToken }: Service, more: Record<string, string> = {}): Post {
  const headers = {
    ...more,
    "content-type": "application/json",
    "x-service-api-key": apiKey,
    "x-service-auth-token": authToken,
  };
  const settings = { url, fetch, retries: 5, timeoutMs: 30_000, onIgnoredFields: () => undefined };
  return async <T>(path: string, data: object) => {
    const send = retryingFetch(settings, new Set([path]), { authorize: () => undefined });
    const reply = await send(new Request(url + path, { method: "POST", headers, body: JSON.stringify({ data }) }));
    const body = (await reply.json()) as { result?: { data: T }; error?: { message: string } };
    if (!body.result) throw new Error(`${path}: ${body.error?.message}`);
    return body.result.data;
  };
}

/**
 * Adds the data, unless all of it is there. Returns whether it did. The terminal leaves its calls out, so that the
 * addresses stay in sight.
 */
export async function addExampleData(service: Service): Promise<boolean> {
  const post = posterTo(service, { [lookHeader]: "1" });
  const { organizations } = await post<{ organizations: object[] }>("/v2/organizations/get", {
    organizationIds: [lastOrganizationId],
  });
  if (organizations.length > 0) return false;
  await tellStory(post);
  return true;
}

/** Tells the story through the API. Without receivers, it has no webhook endpoints. */
export async function tellStory(post: Post, receivers?: Receivers): Promise<void> {
  await configure(post);
  if (receivers) await addEndpoints(post, receivers);
  await addContent(post);
  await addComments(post);
  await addMemory(post);
  const last = { organizationId: lastOrganizationId, organizationName: "Globex" };
  await post("/v2/organizations/add", { organizations: [last] });
}

async function configure(post: Post) {
  await post("/v2/workspace/activityconfig/update", { activityServiceConfig: { isEnabled: true } });
  await post("/v2/workspace/emailconfig/update", { useEmailService: true, emailBatchSeconds: 0 });
  const { domains } = await post<{ domains: string[] }>("/v2/workspace/domains/get", { pageSize: 100 });
  // A call that adds no new domain fails.
  if (!domains.includes(domain)) await post("/v2/workspace/domains/add", { domains: [domain] });
  await post("/v2/workspace/advancedwebhookconfig/update", { isEnabled: true });
}

async function addEndpoints(post: Post, { good, failing }: Receivers) {
  const create = "/v2/workspace/advancedwebhook/endpoints/create";
  await post(create, { url: good, description: "Sends comments to the team's chat" });
  const filterTypes = ["comment.add", "comment_annotation.status_change"];
  await post(create, { url: failing, description: "Billing, moved last week", filterTypes });
}

async function addContent(post: Post) {
  await post("/v2/organizations/add", { organizations: [{ organizationId, organizationName: "Acme" }] });
  const folders = [
    { folderId: "plans", folderName: "Plans" },
    { folderId: "contracts", folderName: "Contracts", accessType: "restricted" },
  ];
  await post("/v2/organizations/folders/add", { organizationId, folders });
  await post("/v1/organizations/documents/add", {
    organizationId,
    folderId: "plans",
    documents: [
      { documentId, documentName: "Launch plan", metadata: { url: `https://${domain}/documents/plan` } },
      { documentId: "budget", documentName: "Budget 2027" },
    ],
  });
  const documents = [{ documentId: "handbook", documentName: "Handbook", accessType: "public" }];
  await post("/v1/organizations/documents/add", { organizationId, documents });
  await post("/v2/users/add", { organizationId, users: [{ ...bob, accessRole: "viewer" }] });
  await post("/v2/users/add", { organizationId, folderId: "plans", users: [{ ...alice, accessRole: "editor" }] });
  await post("/v2/users/add", { organizationId, documentId, users: [{ ...carol, accessRole: "viewer" }] });
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
  await post("/v2/notifications/add", {
    ...place,
    notificationId: "answer",
    actionUser: bob,
    notifyUsers: [alice],
    displayHeadlineMessageTemplate: "{actionUser} has answered your question",
    displayBodyMessage: answer.text,
  });
  const price = { commentId: "c3", from: carol, text: "The price is final: 49 a month.", createdAt: hoursAgo(26) };
  await post(add, {
    ...place,
    location: { id: "page-2", locationName: "Page 2, Price" },
    comments: [{ annotationId: "price", from: carol, status: "RESOLVED", comments: [price] }],
    actionUser: carol,
  });
  await post("/v2/presence/add", { ...place, users: [alice, bob], lifetimeSeconds: 3_600 });
}

async function addMemory(post: Post) {
  const where = { organizationId, documentId };
  await post("/v2/memory/judgments/add", {
    judgments: [
      {
        ...where,
        recordId: "judgment-1",
        decision: "approved",
        reasoning: "The launch date is in March: the printers need six weeks.",
        actionUser: bob,
      },
      {
        ...where,
        recordId: "judgment-2",
        decision: "rejected",
        reasoning: "No discount at launch. It would end the price talks.",
        actionUser: alice,
      },
      {
        ...where,
        recordId: "judgment-3",
        decision: "resolve",
        reasoning: "The price of 49 a month is final.",
        actionUser: carol,
      },
    ],
  });
}
