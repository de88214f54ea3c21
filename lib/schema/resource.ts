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

/** What the result of a user says of an `isAdmin` that does nothing: admins are those of the organization. */
export const ofIdleAdmin = (resource: ReturnType<typeof resourceOf>, isAdmin: boolean | undefined): string =>
  resource && isAdmin ? ` isAdmin has no effect on a ${resource.type}.` : "";
