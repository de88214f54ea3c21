// Wire shapes of users, resources and grants, shared by the access endpoints.
import * as z from "zod/mini";
import { AccessRole, Flag, Id, listOf, optional, Text, UnixSeconds } from "./primitives.ts";

const Scalar = z.union([Text, z.number("Must be a number.")], "Must be a string, a number or a list of those.");

const Access = z.record(Id, z.union([Scalar, listOf(Scalar)], "Must be a string, a number or a list of those."), {
  error: "Must be an object of field names to values.",
});

/** As stored, where each value carries its field's name: beside the texts of its record it stays within 256 KB. */
const accessBytesMax = 100_000;
const storedBytes = (access: z.output<typeof Access>) =>
  Object.entries(access)
    .flatMap(([field, values]) => [values].flat().map((value) => Buffer.byteLength(`${field}${value}`) + 8))
    .reduce((sum, bytes) => sum + bytes, 0);

/** Feature-level access: custom field names with the values that the user may see (decision A8). */
export const AccessContext = z.object(
  {
    access: Access.check(
      z.refine((access) => storedBytes(access) <= accessBytesMax, {
        error: "Must have at most 100,000 bytes, each value counted with its field's name.",
      }),
    ),
  },
  "Must be an object with the member access.",
);
export type AccessContext = z.output<typeof AccessContext>;

/** What a resource is identified by. A document's or folder's organization is asked for by the handler's own rule. */
const resourceFields = {
  type: z.enum(["organization", "document", "folder"], 'Must be "organization", "document" or "folder".'),
  id: Id,
  organizationId: optional(Id),
};

const needsOrganization = z.refine<{ type?: unknown; organizationId?: unknown }>(
  ({ type, organizationId }) => type === "organization" || organizationId !== undefined,
  { error: "Is required for a document or a folder.", path: ["organizationId"] },
);

export const ResourceName = z.object(resourceFields, "Must be an object.").check(needsOrganization);
export type ResourceName = z.output<typeof ResourceName>;

export const ResourceGrant = z
  .object(
    {
      ...resourceFields,
      accessRole: optional(AccessRole),
      expiresAt: optional(UnixSeconds),
      context: optional(AccessContext),
    },
    "Must be an object.",
  )
  .check(needsOrganization);
export type ResourceGrant = z.output<typeof ResourceGrant>;

export const UserFields = z.object(
  {
    userId: Id,
    name: optional(Text),
    email: optional(Text),
    isAdmin: optional(Flag),
    accessRole: optional(AccessRole),
    expiresAt: optional(UnixSeconds),
    context: optional(AccessContext),
  },
  "Must be an object.",
);
export type UserFields = z.output<typeof UserFields>;

/** What happened to one item of a bulk call; `code` says why it failed. */
export const ItemResult = z.object({
  success: z.boolean(),
  id: z.string(),
  message: z.string(),
  code: z.optional(z.string()),
});
export type ItemResult = z.output<typeof ItemResult>;
