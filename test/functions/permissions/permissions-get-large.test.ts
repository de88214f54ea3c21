// The largest replies of get-permissions, with what decided. They fit Lambda, or the call says what to do.
import { describe, expect, it } from "vitest";
import { handler, permissionsGet } from "../../../functions/permissions/permissions-get.ts";
import { checkedReply } from "../../../infra/local/invoke.ts";
import { createMissing } from "../../../lib/content/existing.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import * as Grant from "../../../lib/store/access/grant.ts";
import * as Document from "../../../lib/store/content/document.ts";
import { folderEntity } from "../../../lib/store/content/folder.ts";
import { type DocumentUid, firstFolderUid } from "../../../lib/store/refs.ts";
import { type Credentials, contextOf, eventOf, newWorkspace } from "../../support/call.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";

const organizationId = "o";
const userIds = Array.from({ length: 10 }, (_, index) => `u${index}`);
const role = { generation: 0, accessRole: "viewer", expiresAt: 9e10 } as const;

/** Documents in one folder, on which each user has a grant. `pad` makes their ids longer. */
async function withDocuments(count: number, pad: string): Promise<{ as: Credentials; documentIds: string[] }> {
  newTableInMemory();
  const as = await newWorkspace();
  const ref = { workspace: as.apiKey, organizationId };
  const folderId = `f${pad}`;
  const documentIds = Array.from({ length: count }, (_, index) => `${String(index).padStart(4, "0")}${pad}`);
  await createMissing(ref, [ref]);
  const common = { organizationId, createdAt: "now" };
  const folderUid = firstFolderUid(folderId);
  await putAll([
    folderEntity.put({ ...ref, folderId }, { ...common, folderId, ancestors: [] }),
    ...userIds.map((userId) =>
      Grant.folderGrantEntity.put({ ...ref, userId, folderUid }, { ...role, userId, organizationId, folderUid }),
    ),
    ...documentIds.map((documentId, index) => {
      const document = { ...common, documentId, documentUid: `x${index}` as DocumentUid, ancestors: [folderId] };
      return Document.documentEntity.put({ ...ref, documentId }, document);
    }),
  ]);
  return { as, documentIds };
}

async function get(as: Credentials, data: object) {
  const request = { organizationId, userIds, explain: true, ...data };
  const event = eventOf(permissionsGet as unknown as Endpoint, { as, data: request });
  const reply = await handler(event as never, contextOf(permissionsGet.name) as never);
  const { body, statusCode } = checkedReply(reply);
  return { statusCode, ...JSON.parse(body) };
}

it("explains 10 users on 1,000 documents with usual ids in one reply", async () => {
  const { as, documentIds } = await withDocuments(1_000, "-document");
  const { statusCode, result } = await get(as, { documentIds });
  expect(statusCode).toBe(200);
  const entries = Object.values(result.data).flatMap((each) =>
    Object.values((each as { documents: object }).documents),
  );
  expect(entries).toHaveLength(10_000);
  const because = { level: "folder", id: "f-document", accessRole: "viewer", expiresAt: 9e10 };
  for (const entry of entries) expect(entry).toMatchObject({ accessRole: "viewer", because });
});

describe("with the longest ids", () => {
  const pads = [
    ["quotes", '"'.repeat(252)],
    ["emoji", "😀".repeat(126)],
  ] as const;

  it.each(pads)("is INVALID_ARGUMENT and asks for fewer items, and fewer are explained: %s", async (_, pad) => {
    const { as, documentIds } = await withDocuments(1_000, pad);
    const { statusCode, error } = await get(as, { documentIds });
    expect([statusCode, error.status]).toEqual([400, "INVALID_ARGUMENT"]);
    expect(error.message).toContain("Request fewer items.");
    const some = await get(as, { documentIds: documentIds.slice(0, 200) });
    expect(some.statusCode).toBe(200);
    expect(Object.keys(some.result.data.u9.documents)).toHaveLength(200);
  });

  it.each(pads)("says the same when something is missing, whose details have all entries: %s", async (_, pad) => {
    const { as, documentIds } = await withDocuments(999, pad);
    const { error } = await get(as, { documentIds: [...documentIds, "missing"] });
    expect(error.status).toBe("INVALID_ARGUMENT");
    const fewer = await get(as, { documentIds: ["missing", ...documentIds.slice(0, 100)] });
    expect(fewer.error.status).toBe("NOT_FOUND");
    expect(fewer.error.details.u0.documents.missing).toMatchObject({ errorCode: "does_not_exist" });
  });
});
