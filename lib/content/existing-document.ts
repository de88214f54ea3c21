import { notFound } from "../errors.ts";
import * as Document from "../store/content/document.ts";
import type { DocumentRef } from "../store/refs.ts";
import { requireOrganization } from "./require-organization.ts";

/** Throws NOT_FOUND if the organization or the document is missing. The message says which. */
export async function existingDocument(ref: DocumentRef): Promise<Document.Document> {
  const [document] = await Promise.all([Document.get(ref), requireOrganization(ref)]);
  if (!document) throw notFound("document");
  return document;
}
