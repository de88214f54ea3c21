import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { existingDocument } from "../../lib/content/existing.ts";
import { decode } from "../../lib/crdt/state.ts";
import { bytesOf, StateVector } from "../../lib/crdt/update-fields.ts";
import { merge, missingIn, stateVectorOf } from "../../lib/crdt/updates.ts";
import { ApiError } from "../../lib/errors.ts";
import { fitsReply } from "../../lib/http/envelope.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { EditorContent, EditorType } from "../../lib/schema/crdt.ts";
import { ContentKey, DocumentId, EditorId, Generation, OrganizationId } from "../../lib/schema/fields.ts";
import { optional } from "../../lib/schema/primitives.ts";
import * as CrdtContent from "../../lib/store/crdt/crdt-updates.ts";

export const crdtGet = endpoint({
  name: "crdt-get",
  path: "/v2/crdt/get",
  summary: "Get editor content",
  description: "Get the content of a collaborative editor, in the form of crdt/add and as a Yjs update.",
  users: "view",
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: z.object({
    organizationId: OrganizationId,
    documentId: DocumentId,
    editorId: EditorId,
    stateVector: optional(
      StateVector.check(
        z.describe(
          "Base64 of a client's Yjs state vector. The reply then has only what the client lacks, and no data.",
        ),
      ),
    ),
  }),
  reply: z.object({
    type: EditorType,
    contentKey: ContentKey,
    generation: Generation,
    data: z
      .optional(EditorContent)
      .check(
        z.describe(
          "Left out with stateVector, when the reply would be longer than 6 MB as it is sent, when an update does not fit " +
            "the others, and when the content takes too long to read or has more than 500,000 marks; `update` has the same content. Embedded objects, and formats of a text, are in `update` only.",
        ),
      ),
    update: z.string().check(z.describe("Base64 of a Yjs update, for Y.applyUpdate.")),
    stateVector: z
      .optional(z.string())
      .check(
        z.describe(
          "Base64 of the Yjs state vector of the whole content. Left out when the reply would be longer than 6 MB as it " +
            "is sent, which needs tens of thousands of clients.",
        ),
      ),
  }),
  message: "CRDT data retrieved.",
  timeoutSeconds: 25,
  memoryMb: 1_769,

  async handle({ data: { organizationId, documentId, editorId, stateVector }, caller: { workspace } }) {
    const { documentUid } = await existingDocument({ workspace, organizationId, documentId });
    const found = await CrdtContent.read({ workspace, documentUid, editorId });
    if (!found) throw new ApiError("NOT_FOUND", "The editor has no CRDT data. Add some with crdt/add.");
    const { type, contentKey } = found.editor;
    const state = merge(found.updates);
    const update = stateVector === undefined ? state : missingIn(state, bytesOf(stateVector));
    const reply = { type, contentKey, generation: found.editor.generation, update: base64(update) };
    const withVector = { ...reply, stateVector: base64(stateVectorOf(state)) };
    const data = stateVector === undefined ? decode({ type, contentKey }, state) : undefined;
    if (data !== undefined && fitsReply({ ...withVector, data })) return { ...withVector, data };
    return fitsReply(withVector) ? withVector : reply;
  },
});
export const handler = readLambda(crdtGet, forUsers);

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
