// Lists whose items have their largest sizes, in characters that grow most when a reply is sent. Each page ends early
// enough for Lambda.
import { beforeEach, describe, expect, it } from "vitest";
import { sourceOf } from "../../infra/deployables.ts";
import { checkedReply } from "../../infra/local/invoke.ts";
import { putAll } from "../../lib/dynamodb/batch-write.ts";
import type { Handler } from "../../lib/http/lambda.ts";
import { documentGrantEntity } from "../../lib/store/access/grant.ts";
import { userEntity } from "../../lib/store/access/user.ts";
import { groupMemberEntity } from "../../lib/store/access/user-group.ts";
import { agentEntity } from "../../lib/store/ai/agent.ts";
import * as Document from "../../lib/store/content/document.ts";
import { folderEntity } from "../../lib/store/content/folder.ts";
import type { DocumentUid } from "../../lib/store/refs.ts";
import { type Credentials, contextOf, eventOf } from "../support/call.ts";
import { furnishedWorkspace, prepareFurniture } from "../support/contract/furnished-workspace.ts";
import { named } from "../support/contract/requests.ts";
import { fillHistory, fillPresence, fillWebhookEndpoints } from "../support/contract/worst-content.ts";
import { newTableInMemory } from "../support/engine/in-memory.ts";
import { lifeOf } from "../support/user-groups.ts";

const organizationId = "acme";
const ids = Array.from({ length: 100 }, (_, index) => `item-${index}`);
const refOf = ({ apiKey: workspace }: Credentials) => ({ workspace, organizationId });
const createdAt = "2026-01-01T00:00:00.000Z";

/** Users with the longest names, who have a grant on the document and are members of the group. */
async function addUsers(as: Credentials, name: string) {
  const ref = refOf(as);
  const document = await Document.get({ ...ref, documentId: "plan" });
  const documentUid = document?.documentUid as DocumentUid;
  const common = { organizationId, accessRole: "viewer", createdAt, updatedAt: createdAt } as const;
  const group = await lifeOf({ ...ref, organizationUserGroupId: "reviewers" });
  await putAll(
    ids.flatMap((userId) => [
      userEntity.put({ ...ref, userId }, { ...common, userId, name }),
      documentGrantEntity.put({ ...ref, documentUid, userId }, {
        userId,
        accessRole: "viewer",
        generation: 0,
      } as never),
      groupMemberEntity.put({ ...group, userId }, { userId, generation: 0 }),
    ]),
  );
}

type Fill = (as: Credentials, text: string, character: string) => Promise<unknown>;

/** `list`: the field of the reply; `data`: the request; `fill`: stores the items. `text` has 64 KB. */
const cases: { name: string; list: string; data: object; fill: Fill }[] = [
  { name: "users-get", list: "users", data: { organizationId }, fill: addUsers },
  { name: "users-get", list: "users", data: { organizationId, documentId: "plan" }, fill: addUsers },
  {
    name: "users-get",
    list: "users",
    data: { organizationId, organizationUserGroupIds: ["reviewers"] },
    fill: addUsers,
  },
  {
    name: "documents-get",
    list: "documents",
    data: { organizationId },
    fill: (as, documentName) =>
      putAll(
        ids.map((documentId) => {
          const document = { organizationId, documentId, documentUid: documentId as DocumentUid, documentName };
          return Document.documentEntity.put({ ...refOf(as), documentId }, { ...document, ancestors: [], createdAt });
        }),
      ),
  },
  {
    name: "folders-get",
    list: "folders",
    data: { organizationId },
    fill: (as, folderName) =>
      putAll(
        ids.map((folderId) => {
          const folder = { organizationId, folderId, folderName, ancestors: [], createdAt };
          return folderEntity.put({ ...refOf(as), folderId }, folder);
        }),
      ),
  },
  {
    name: "agents-get",
    list: "agents",
    data: {},
    fill: (as, instructions) =>
      putAll(
        ids.map((agentId) =>
          agentEntity.put({ workspace: as.apiKey, agentId }, { agentId, name: "n", instructions, createdAt }),
        ),
      ),
  },
  {
    name: "presence-get",
    list: "users",
    data: { organizationId, documentId: "plan" },
    fill: (as) => fillPresence(as, 100),
  },
  {
    name: "notifications-get",
    list: "notifications",
    data: { organizationId, userId: "u" },
    fill: (as, _, character) => fillHistory(as, "u", 20, character),
  },
  {
    name: "users-data-get",
    list: "comments",
    data: { organizationId, userId: "u" },
    fill: (as, _, character) => fillHistory(as, "u", 10, character),
  },
  {
    name: "webhook-endpoints-get",
    list: "endpoints",
    data: {},
    fill: (as, _, character) => fillWebhookEndpoints(as, 49, character),
  },
];

async function pageOf({ name, data, fill }: (typeof cases)[number], character: string) {
  const text = character.repeat(65_536 / Buffer.byteLength(character));
  const endpoint = named(name);
  const as = await furnishedWorkspace(endpoint);
  await fill(as, text, character);
  const { handler } = (await import(/* @vite-ignore */ `../../${sourceOf(endpoint)}`)) as { handler: Handler };
  const event = eventOf(endpoint, { as, data: { pageSize: 100, ...data } });
  const reply = await handler(event as never, contextOf(endpoint.name, 28_000) as never);
  const { result } = JSON.parse(checkedReply(reply).body);
  return { statusCode: reply.statusCode, body: reply.body, result };
}

beforeEach(async () => {
  await prepareFurniture();
  newTableInMemory();
});

describe.each([
  ["quotes", '"'],
  ["backslashes", "\\"],
  ["control characters", "\u0001"],
  ["emoji", "😀"],
  ["Chinese characters", "文"],
])("%s", (_, character) => {
  it.each(cases)("$name with $data returns a page of $list that Lambda accepts", async (each) => {
    const { statusCode, body, result } = await pageOf(each, character);
    expect(statusCode, body.slice(0, 500)).toBe(200);
    expect(result.data[each.list].length).toBeGreaterThan(0);
    const { nextPageToken } = { ...result, ...result.data };
    if (each.name !== "presence-get") expect(nextPageToken).not.toBeNull();
  });
});
