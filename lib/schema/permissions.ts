// The wire shape of the reply of get-permissions.
import * as z from "zod/mini";
import { AccessRole, AccessType } from "./primitives.ts";

export const Permission = z.object({
  accessRole: z.optional(AccessRole),
  accessType: z.optional(AccessType),
  expiresAt: z.optional(z.number()),
  error: z.optional(z.string()),
  errorCode: z.optional(z.enum(["permission_denied", "does_not_exist", "something_went_wrong"])),
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
