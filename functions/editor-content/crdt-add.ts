import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { notedSteps } from "../../lib/call.ts";
import { existingDocument } from "../../lib/content/existing.ts";
import { encode } from "../../lib/crdt/state.ts";
import { contentKeyDefault } from "../../lib/crdt/updates.ts";
import { ApiError } from "../../lib/errors.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import { EditorContent, EditorType, fitsType } from "../../lib/schema/crdt.ts";
import { derived } from "../../lib/schema/derived.ts";
import { ContentKey, DocumentId, EditorId, OrganizationId } from "../../lib/schema/fields.ts";
import { optional } from "../../lib/schema/primitives.ts";
import * as Crdt from "../../lib/store/crdt/crdt.ts";

interface Sent {
  type: EditorType;
  contentKey?: string | undefined;
  data: EditorContent;
}

const state = derived(
  ({ type, contentKey = contentKeyDefault, data }: Sent) => encode({ type, contentKey, data }),
  "type",
  "contentKey",
  "data",
);

export const crdtAdd = endpoint({
  name: "crdt-add",
  path: "/v2/crdt/add",
  contract: 9,
  summary: "Add editor content",
  description: "Add the first content of a collaborative editor.",
  users: "edit",
  grants: ["table:read", "table:write"],
  events: ["crdt.add"],
  errors: ["NOT_FOUND", "ALREADY_EXISTS"],
  data: z
    .object({
      organizationId: OrganizationId,
      documentId: DocumentId,
      editorId: EditorId,
      data: EditorContent,
      type: EditorType,
      contentKey: optional(ContentKey),
    })
    .check(fitsType, state.check),
  example: {
    organizationId: "acme",
    documentId: "plan",
    editorId: "body",
    data: '<heading level="2">Plan</heading><paragraph>Hello, <bold>world</bold>!</paragraph>',
    type: "xml",
    contentKey: "default",
  },
  envelope: "bare",
  reply: z.void(),
  message: "CRDT data added.",
  timeoutSeconds: 25,
  // This size has one full vCPU: encoding the largest content takes seconds of CPU time.
  memoryMb: 1_769,

  async handle({ data, caller: { workspace } }) {
    const { organizationId, documentId, editorId, type, contentKey = contentKeyDefault } = data;
    const { documentUid } = await existingDocument({ workspace, organizationId, documentId });
    const ref = { workspace, documentUid, editorId };
    if ((await notedSteps()).has("add")) return;
    const writes = Crdt.creation(ref, { type, contentKey, state: state.of(data) });
    const [added] = await commitEach([{ writes, step: { name: "add", outcome: "added" } }], () => ({
      events: [{ type: "crdt.add", workspace, organizationId, documentId, data: { editorId, type, contentKey } }],
    }));
    if (!added) throw new ApiError("ALREADY_EXISTS", "The editor already has CRDT data.");
  },
});
export const handler = lambda(crdtAdd, forUsers);
