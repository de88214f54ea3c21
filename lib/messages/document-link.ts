import type { Document } from "../store/content/document.ts";
import * as DocumentMetadata from "../store/content/document-metadata.ts";
import * as Domain from "../store/domain.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import { linkOf, possibleLink } from "./link.ts";

/** The document's link in messages, as its metadata and the allowed domains are now; undefined: none. */
export async function linkOfDocument(ref: WorkspaceRef, document: Document): Promise<string | undefined> {
  const [text] = (await DocumentMetadata.textsOf(ref, [document])).values();
  if (text === undefined) return undefined;
  const { url } = JSON.parse(text) as { url?: unknown };
  const domains = await Domain.existing(ref, possibleLink(url)?.allowedBy ?? []);
  return linkOf(url, domains);
}
