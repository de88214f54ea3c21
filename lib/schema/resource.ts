// The folder or document that users/add and users/update can name beside the organization: at most one.
import * as z from "zod/mini";
import { whenValid } from "./when-valid.ts";

interface Named {
  documentId?: string | undefined;
  folderId?: string | undefined;
}

export const notBoth = z.refine<Named>(
  ({ documentId, folderId }) => documentId === undefined || folderId === undefined,
  {
    error: "Give documentId or folderId, not both.",
    path: ["folderId"],
    when: whenValid("documentId", "folderId"),
  },
);

export function resourceOf({ documentId, folderId }: Named): { type: "folder" | "document"; id: string } | undefined {
  if (documentId !== undefined) return { type: "document", id: documentId };
  return folderId === undefined ? undefined : { type: "folder", id: folderId };
}
