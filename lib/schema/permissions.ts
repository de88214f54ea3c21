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
  expiresAt: z.optional(z.int()).check(z.describe("When that grant ends, in Unix seconds. Absent: it does not end.")),
});

export const Permission = z.object({
  accessRole: z.optional(AccessRole),
  accessType: z
    .optional(AccessType)
    .check(z.describe("Who has access to the resource without a grant. Absent: it says nothing.")),
  expiresAt: z
    .optional(z.int())
    .check(z.describe("When the deciding grant ends, in Unix seconds. Absent: it does not end.")),
  error: z
    .optional(z.string())
    .check(z.describe("Why the user has no access, for a developer. Absent: the user has access.")),
  errorCode: z
    .optional(z.enum(["permission_denied", "does_not_exist", "something_went_wrong"]))
    .check(
      z.describe(
        "permission_denied: the user has no access. does_not_exist: the resource or the organization is missing. something_went_wrong: the permission provider did not decide.",
      ),
    ),
  because: z.optional(
    Because.check(z.describe("What has decided. Only with explain, and only for resources that exist.")),
  ),
});
export type Permission = z.output<typeof Permission>;

/** Keyed by userId, then by the id of the folder, document or organization. */
export const Permissions = z
  .record(
    z.string(),
    z.object({
      folders: z
        .record(z.string(), Permission)
        .check(z.describe("The access to each folder of the request, by its id.")),
      documents: z
        .record(z.string(), Permission)
        .check(z.describe("The access to each document of the request, by its id.")),
      organization: z.record(z.string(), Permission).check(z.describe("The access to the organization, by its id.")),
      context: z
        .optional(z.object({ accessFields: z.array(z.string()).check(z.describe("Each as `field:value`.")) }))
        .check(z.describe("The access fields of the user's grants. Absent: none.")),
    }),
  )
  .check(z.describe("The access of each user, by the user's id."));
export type Permissions = z.output<typeof Permissions>;
