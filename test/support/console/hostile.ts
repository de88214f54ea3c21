// Texts that would run in a careless page, in each field that users can write.
import { alice, bob, documentId, organizationId, type Post } from "../../../infra/local/example-data.ts";
import { visible } from "../../../lib/visible.ts";

export const hostile = `"><img src=x onerror="window.harmed=1"><script>window.harmed=1</script>`;
const link = "javascript:window.harmed=1";
/** It reads "exe.png" where the first character has its effect. */
const reversed = "\u202egnp.exe";
export const id = `<img/src=x onerror=harmed=1>"'&#`;

const person = { userId: id, name: hostile, email: "harm@example.com" };

/** Writes the texts. Returns the pages that show them, with the texts that must stand there. */
export async function writeHostileTexts(post: Post): Promise<[path: string, texts: string[]][]> {
  const organizationId = id;
  await post("/v2/organizations/add", { organizations: [{ organizationId, organizationName: hostile }] });
  const folder = { folderId: id, folderName: hostile };
  await post("/v2/organizations/folders/add", { organizationId, folders: [folder] });
  const document = { documentId: id, documentName: hostile, metadata: { url: link, [hostile]: hostile } };
  await post("/v1/organizations/documents/add", { organizationId, folderId: id, documents: [document] });
  await post("/v2/users/add", { organizationId, users: [{ ...person, accessRole: "editor" }] });
  const group = { organizationUserGroupId: id, organizationUserGroupName: reversed };
  await post("/v2/organizations/usergroups/add", { organizationId, organizationUserGroups: [group] });
  await post("/v2/organizations/documents/data/add", {
    ...{ organizationId, documentId: id, actionUser: person },
    location: { id, locationName: hostile },
    comments: [
      {
        ...{ annotationId: id, from: person, status: hostile, priority: hostile, assignedTo: person },
        comments: [{ commentId: id, from: person, text: hostile, taggedUsers: [person] }],
      },
    ],
  });
  const users = [{ ...person, metadata: { [hostile]: hostile } }];
  await post("/v2/presence/add", { organizationId, documentId: id, users, lifetimeSeconds: 600 });
  const activity = { actionUser: person, eventType: "own.event", displayMessage: hostile, changes: { a: hostile } };
  await post("/v2/activities/add", { organizationId, activities: [{ ...activity, metadata: { b: hostile } }] });
  const url = `http://127.0.0.1:1/?q=${encodeURIComponent(hostile)}`;
  const { id: endpoint } = await post<{ id: string }>("/v2/workspace/advancedwebhook/endpoints/create", {
    url,
    description: hostile,
  });
  const judgment = { recordId: "harm", decision: "approved", reasoning: hostile, actionUser: person };
  await post("/v2/memory/judgments/add", { judgments: [judgment] });
  await post("/v2/workspace/authtokens/create", { name: hostile.slice(0, 100), scopes: ["read"] });
  await post("/v2/workspace/emailconfig/update", { emailServiceConfig: { fromCompany: "A <b>company</b>" } });

  const at = (path: string, query: Record<string, string>) => `/console/${path}?${new URLSearchParams(query)}`;
  return [
    ["/console/documents", [hostile, id]],
    [at("documents", { org: id }), [hostile]],
    [at("documents", { org: id, folder: encodeURIComponent(id) }), [hostile]],
    [at("documents", { org: id, document: id }), [hostile, link]],
    [at("people", { org: id }), [hostile, id]],
    [at("people", { org: id, view: "groups" }), [visible(reversed)]],
    [at("people", { org: id, view: "access", document: id }), [hostile]],
    [at("people", { org: id, user: id }), [hostile]],
    ["/console/webhooks", [hostile]],
    [at("webhooks", { endpoint }), [hostile]],
    [at("activity", { org: id }), [hostile]],
    [at("memory", { record: "harm" }), [hostile]],
    ["/console/tokens", [hostile.slice(0, 100)]],
  ];
}

/** Writes a comment to the story's document: its text goes out in a mail, its id to the endpoint. Returns the endpoint. */
export async function sendHostileTexts(post: Post, url: string): Promise<string> {
  const create = "/v2/workspace/advancedwebhook/endpoints/create";
  const { id: endpoint } = await post<{ id: string }>(create, { url, filterTypes: ["comment.add"] });
  const annotationId = "dates";
  const comments = [{ commentId: id, from: alice, text: hostile, taggedUsers: [bob] }];
  const data = { organizationId, documentId, annotationId, comments, actionUser: alice };
  await post("/v2/commentannotations/comments/add", data);
  return endpoint;
}
