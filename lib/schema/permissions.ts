// The wire shape of the reply of get-permissions.
import * as z from "zod/mini";
import { AccessRole, AccessType } from "./primitives.ts";

const Because = z.object({
  level: z
    .enum(["document", "folder", "organization", "accessType", "admin", "provider", "none"])
    .check(
      z.describe(
        "document, folder, organization: the user's grant there. accessType: the resource is public. admin: the user is " +
          "an admin of the organization. provider: the workspace's permission provider. none: nothing gives access.",
      ),
    ),
  id: z
    .string()
    .check(
      z.describe(
        "The document, folder or organization that has the grant. With accessType, provider and none, the entry's own id.",
      ),
    ),
  accessRole: z.optional(AccessRole),
  expiresAt: z.optional(z.int()),
});

export const Permission = z.object({
  accessRole: z.optional(AccessRole),
  accessType: z.optional(AccessType),
  expiresAt: z.optional(z.int()),
  error: z.optional(z.string()),
  errorCode: z.optional(z.enum(["permission_denied", "does_not_exist", "something_went_wrong"])),
  because: z.optional(Because.check(z.describe("What decided. Only with explain, and for what exists."))),
});
export type Permission = z.output<typeof Permission>;

/** Keyed by userId, then by the id of the folder, document or organization. */
export const Permissions = z.record(
  z.string(),
  z.object({
    folders: z.record(z.string(), Permission),
    documents: z.record(z.string(), Permission),
    organization: z.record(z.string(), Permission),
    context: z.optional(z.object({ accessFields: z.array(z.string()) })),
  }),
);
export type Permissions = z.output<typeof Permissions>;
