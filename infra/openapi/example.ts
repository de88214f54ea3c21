// Generates an example for a schema. It has the required fields; ids and texts are named after their field.
import { type JsonSchema, namedSchema } from "./json-schema.ts";

export function exampleOf(schema: JsonSchema, name = ""): unknown {
  if (schema.$ref) return exampleOf(namedSchema(schema.$ref.replace(/^.*\//, "")), name);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((each) => exampleOf(each, name)));
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0], name);
  const type = [schema.type].flat()[0];
  if (schema.format === "date-time") return "2026-01-31T12:00:00.000Z";
  if (type === "string") return textFor(name);
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return true;
  if (type === "array") return schema.items ? [exampleOf(schema.items, name.replace(/s$/, ""))] : [];
  if (type === "object") return objectFor(schema, name);
  return null;
}

function objectFor({ properties, required = [], additionalProperties }: JsonSchema, name: string): object {
  if (!properties && /location$/i.test(name)) return { id: "page-1", locationName: "Page 1" };
  if (!properties && typeof additionalProperties === "object")
    return { [keys[name] ?? "an-id"]: exampleOf(additionalProperties, name) };
  return Object.fromEntries(required.map((field) => [field, exampleOf(properties?.[field] ?? {}, field)]));
}

/** Fixed values, by field name. All examples use the same ones. */
const known: Record<string, string> = {
  accessType: "restricted",
  actionUserId: "alice",
  assignedTo: "bob",
  contentKey: "default",
  documentId: "plan",
  documentName: "Launch plan",
  editorId: "body",
  email: "alice@example.com",
  folderId: "plans",
  folderName: "Plans",
  from: "alice",
  newDocumentId: "launch-plan",
  notificationId: "n-1",
  organizationId: "acme",
  organizationUserGroupId: "reviewers",
  parentFolderId: "plans",
  priority: "P1",
  reason: "It has failed for 5 days without one success.",
  status: "RESOLVED",
  type: "xml",
  userId: "alice",
  workspace: "{apiKey}",
};

/** The key of the one entry in a map, by the map's name. */
const keys: Record<string, string> = {
  folders: "plans",
  documents: "plan",
  organization: "acme",
  triggers: "comment.add",
};

function textFor(name: string): string {
  if (name === "message") return "Done.";
  if (known[name]) return known[name];
  const noun = name.replace(/Id$/, "").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return name.endsWith("Id") || name === "id" ? `${noun === "id" ? "item" : noun}-1` : noun || "text";
}
