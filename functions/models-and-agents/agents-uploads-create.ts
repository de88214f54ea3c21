import * as z from "zod/mini";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { fileBytesMax } from "../../lib/ingest/file-limits.ts";
import { FileType } from "../../lib/ingest/file-type.ts";
import * as Uploads from "../../lib/ingest/uploads.ts";

export const agentsUploadsCreate = endpoint({
  name: "agents-uploads-create",
  path: "/v2/agents/uploads/create",
  summary: "Create an upload",
  description:
    "Creates an address for a file that is too large for a call. Send the file there with PUT and the `headers`, then call agents/extract with the `uploadId`.",
  scope: "write",
  grants: ["table:read", "file:write"],
  data: z.object({
    mimeType: FileType,
    sizeBytes: z
      .int("Must be a whole number.")
      .check(
        z.minimum(1, "Must be at least 1."),
        z.maximum(fileBytesMax, `Must be at most ${fileBytesMax}: 5 MB.`),
        z.describe("The size of the file. The address takes no other size."),
      ),
  }),
  example: { mimeType: "text/csv", sizeBytes: 31 },
  reply: z.object({
    uploadId: z.string().check(z.describe("For agents/extract, which takes it for 24 hours.")),
    url: z.string().check(z.describe("Takes the file, without credentials. Keep it secret.")),
    headers: z.record(z.string(), z.string()).check(z.describe("Headers to send with the file.")),
    expiresAt: z.int().check(z.describe("When the address ends, in Unix seconds.")),
  }),
  message: "Upload created.",

  handle: ({ data, caller: { workspace } }) => Uploads.create({ workspace }, data),
});
export const handler = readLambda(agentsUploadsCreate);
