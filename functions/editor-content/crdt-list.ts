import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { existingDocument } from "../../lib/content/existing.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { EditorType } from "../../lib/schema/crdt.ts";
import { ContentKey, DocumentId, EditorId, Generation, OrganizationId } from "../../lib/schema/fields.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { CreatedAt, IsoTime } from "../../lib/schema/primitives.ts";
import * as Crdt from "../../lib/store/crdt/crdt.ts";

export const crdtList = endpoint({
  name: "crdt-list",
  path: "/v2/crdt/list",
  summary: "List editors",
  description: "List the collaborative editors of a document.",
  users: "view",
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: z.object({ organizationId: OrganizationId, documentId: DocumentId, ...pageRequest }),
  reply: z.object({
    editors: z
      .array(
        z.object({
          editorId: EditorId,
          type: EditorType,
          contentKey: ContentKey,
          generation: Generation,
          createdAt: CreatedAt,
          updatedAt: IsoTime.check(z.describe("When the content was last changed.")),
          sizeBytes: z
            .number()
            .check(z.describe("Bytes of the Yjs update, and of the updates that are not merged into it yet.")),
        }),
      )
      .check(z.describe("The editors of this page.")),
    ...pageReply,
  }),
  message: "Editors retrieved.",

  async handle({ data, caller }) {
    const { organizationId, documentId } = data;
    const list = listing(caller, ["editors", organizationId, documentId], data);
    const { workspace } = caller;
    const { documentUid } = await existingDocument({ workspace, organizationId, documentId });
    const page = await Crdt.page({ workspace, documentUid }, list.size, list.from);
    return { editors: page.items.map(shown), nextPageToken: list.tokenFor(page.next) };
  },
});
export const handler = readLambda(crdtList, forUsers);

function shown({ editorId, type, contentKey, generation, createdAt, updatedAt, usedBytes }: Crdt.Editor) {
  return { editorId, type, contentKey, generation, createdAt, updatedAt, sizeBytes: usedBytes };
}
