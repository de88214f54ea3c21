import * as z from "zod/mini";
import { existingDocument } from "../../lib/content/existing-document.ts";
import { decode } from "../../lib/crdt/state.ts";
import { ApiError } from "../../lib/errors.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { fitsReply } from "../../lib/http/envelope.ts";
import { readLambda } from "../../lib/http/lambda.ts";
import { EditorContent, EditorType } from "../../lib/schema/crdt.ts";
import { Id } from "../../lib/schema/primitives.ts";
import * as Crdt from "../../lib/store/crdt.ts";

export const crdtGet = endpoint({
  name: "crdt-get",
  path: "/v2/crdt/get",
  group: "collaboration",
  summary: "Get the content of a collaborative editor, in the form of crdt/add and as a Yjs update.",
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: z.object({ organizationId: Id, documentId: Id, editorId: Id }),
  example: { organizationId: "acme", documentId: "plan", editorId: "notes" },
  reply: z.object({
    type: EditorType,
    contentKey: z.string(),
    data: z
      .optional(EditorContent)
      .check(
        z.describe("Left out when the reply would be longer than 6 MB as it is sent; `update` has the same content."),
      ),
    update: z.string().check(z.describe("Base64 of a Yjs update, for Y.applyUpdate.")),
  }),
  message: "CRDT data retrieved.",
  timeoutSeconds: 25,
  memoryMb: 1_769,

  async handle({ data: { organizationId, documentId, editorId }, caller: { workspace } }) {
    const { documentUid } = await existingDocument({ workspace, organizationId, documentId });
    const found = await Crdt.get({ workspace, documentUid, editorId });
    if (!found) throw new ApiError("NOT_FOUND", "The editor has no CRDT data.");
    const { type, contentKey, state } = found;
    const update = Buffer.from(state).toString("base64");
    const whole = { type, contentKey, data: decode(found, state), update };
    return fitsReply(whole) ? whole : { type, contentKey, update };
  },
});
export const handler = readLambda(crdtGet);
