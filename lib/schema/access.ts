// Wire shapes of users, resources and grants, shared by the access endpoints.
import * as z from "zod/mini";
import { Ignored } from "./definition.ts";
import { RealUserId } from "./fields.ts";
import { mustBeObject, mustHaveAccess, mustNotBeEmpty } from "./messages.ts";
import { AccessRole, Flag, Id, optional, Text, UnixSeconds } from "./primitives.ts";
import { whenValid } from "./when-valid.ts";

/** Most bytes of all values with their fields' names. This leaves room for the other texts of the user's item. */
const accessBytesMax = 100_000;

/**
 * Returns the first problem only. A record schema would report every wrong entry, and a body has room for a million.
 */
function firstProblem(
  access: Record<string, unknown>,
  isSingle: boolean,
): { field?: string; message: string } | undefined {
  let bytes = 0;
  for (const field in access) {
    const values = access[field];
    if (!Id.safeParse(field).success) return { field, message: "The field name must be a valid id." };
    const isList = Array.isArray(values) && !isSingle;
    if (isList && values.length === 0) return { field, message: mustNotBeEmpty };
    for (const value of isList ? values : [values]) {
      if (typeof value !== "string" && typeof value !== "number") {
        return { field, message: `Must be a string${isSingle ? " or a number" : ", a number or a list of those"}.` };
      }
      bytes += Buffer.byteLength(field) + Buffer.byteLength(String(value)) + 8;
      if (bytes > accessBytesMax) {
        return { message: "Must have at most 100,000 bytes, each value counted with its field name." };
      }
    }
  }
  return undefined;
}

/** `isSingle`: each field has one value, no list. */
export const accessFields = (isSingle: boolean) =>
  z.record(z.string(), z.unknown(), "Must be an object of field names to values.").check((context) => {
    const problem = firstProblem(context.value, isSingle);
    if (!problem) return;
    const { field, message } = problem;
    context.issues.push({
      ...{ code: "custom", input: context.value, message },
      ...(field !== undefined && { path: [field] }),
    });
  });

/**
 * Feature-level access: the client's field names, each with the user's values. When a call asks about a field, the value
 * that it gives must equal one of the user's values. Both are compared as strings.
 */
export const AccessContext = z
  .object(
    {
      access: accessFields(false).check(
        z.describe(
          "Your own field names, each with the user's value or values: texts, or numbers, which stand for their texts. At most 100,000 bytes together.",
        ),
      ),
    },
    mustHaveAccess,
  )
  .check(z.describe("Custom fields of the grant, for features within a document."));
export type AccessContext = z.output<typeof AccessContext>;

/** Identifies a resource. `needsOrganization` makes `organizationId` required for a document or folder. */
const resourceFields = {
  type: z
    .enum(["organization", "document", "folder"], 'Must be "organization", "document" or "folder".')
    .check(z.describe("What the grant is on.")),
  id: Id.check(z.describe("The id of the organization, folder or document.")),
  organizationId: optional(Id).check(z.describe("The organization of the folder or document. Required for these two.")),
};

const needsOrganization = z.refine<{ type?: unknown; organizationId?: unknown }>(
  ({ type, organizationId }) => type === "organization" || organizationId !== undefined,
  {
    error: "Is required for a document or a folder.",
    path: ["organizationId"],
    when: whenValid("type", "organizationId"),
  },
);

export const ResourceName = z.object(resourceFields, mustBeObject).check(needsOrganization);
export type ResourceName = z.output<typeof ResourceName>;

const GrantEnd = UnixSeconds.check(
  z.describe(
    "When the grant ends, in Unix seconds, without their fraction. A past time ends it now. Default of a new grant: it does not end.",
  ),
);

export const ResourceGrant = z
  .object(
    {
      ...resourceFields,
      accessRole: optional(AccessRole),
      expiresAt: optional(GrantEnd),
      context: optional(AccessContext),
    },
    mustBeObject,
  )
  .check(needsOrganization);
export type ResourceGrant = z.output<typeof ResourceGrant>;

export const IsAdmin = Flag.check(
  z.describe("Whether the user is an admin of the organization: an editor of everything in it. Default false."),
);

const userFields = {
  userId: RealUserId,
  name: optional(Text).check(z.describe("The name to show for the user.")),
  email: optional(Text).check(z.describe("The user's e-mail address, to which messages go.")),
  isAdmin: optional(IsAdmin),
  accessRole: optional(AccessRole),
  expiresAt: optional(GrantEnd),
  context: optional(AccessContext),
};

export const UserFields = z.object(userFields, mustBeObject);
export type UserFields = z.output<typeof UserFields>;

/** As JSON, all properties of a user together. */
export const propertiesBytesMax = 8_192;

const updateFields = {
  ...userFields,
  properties: optional(z.record(z.string(), z.unknown(), mustBeObject)).check(
    z.describe("Further fields as replies show them. One that stands beside them counts instead."),
  ),
  organizationId: Ignored,
  createdAt: Ignored,
  updatedAt: Ignored,
  generation: Ignored,
};

/** The changed properties of a user: those in `properties`, and all fields that the service does not know. */
export function propertiesOf({ properties, ...fields }: { properties?: object | undefined }): [string, unknown][] {
  const further = Object.entries(fields).filter(([name]) => !Object.hasOwn(updateFields, name));
  return Object.entries({ ...properties, ...Object.fromEntries(further) });
}

/** Refuses properties that are too large. */
const mustBeProperties = z.check<{ properties?: object | undefined }>(
  ({ value, issues }) => {
    if (Buffer.byteLength(JSON.stringify(Object.fromEntries(propertiesOf(value)))) > propertiesBytesMax) {
      const message = `Further fields must have at most ${propertiesBytesMax} bytes as JSON.`;
      issues.push({ code: "custom", input: value, path: [], message });
    }
  },
  { when: whenValid() },
);

export const UserUpdate = z
  .looseObject(updateFields, mustBeObject)
  .check(
    mustBeProperties,
    z.describe(
      `Further fields are kept as properties of the user, at most ${propertiesBytesMax} bytes as JSON. null unsets one.`,
    ),
  );
export type UserUpdate = z.output<typeof UserUpdate>;
