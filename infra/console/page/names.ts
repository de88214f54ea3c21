// Names of organizations and folders that the trail shows. The API lists folders by their parent only, so a name is
// remembered from the list through which the reader came.
import { load } from "./api.ts";
import { seldomMs, useLive } from "./live.ts";
import { allPages } from "./paging.ts";
import { address } from "./places.ts";
import type { Folder, Organization } from "./types.ts";

const folders = new Map<string, string>();
const keyOf = (organizationId: string, folderId: string) => JSON.stringify([organizationId, folderId]);

export const rememberFolder = (organizationId: string, folderId: string, name: string): void =>
  void folders.set(keyOf(organizationId, folderId), name);

const folderName = (organizationId: string, folderId: string): string =>
  folders.get(keyOf(organizationId, folderId)) ?? folderId;

/** The folders at the root: for choices, and for names. */
export const useFolders = (organizationId: string | undefined) =>
  useLive(
    organizationId === undefined ? undefined : ["all folders", organizationId],
    async (signal) => {
      const folders = await allPages(async (pageToken) => {
        type Reply = { folders: Folder[]; nextPageToken: string | null };
        const reply = await load<Reply>("v2/organizations/folders/get", { organizationId, pageToken }, signal);
        return { items: reply.folders, nextPageToken: reply.nextPageToken };
      }, 200);
      for (const each of folders) rememberFolder(organizationId ?? "", each.folderId, each.folderName || each.folderId);
      return folders;
    },
    seldomMs,
  );

/** Address and name of each of these folders, from the root down. */
export const folderTrail = (organizationId: string, folderIds: readonly string[]) =>
  folderIds.map((id, depth) => {
    const folder = pathText(folderIds.slice(0, depth + 1));
    return [address("/console/documents", { org: organizationId, folder }), folderName(organizationId, id)] as const;
  });

/** The name of the organization, or its id as long as no name is known. */
export function useOrganizationName(organizationId: string): string {
  const { data } = useLive(
    ["organization", organizationId],
    (signal) =>
      load<{ organizations: Organization[] }>("v2/organizations/get", { organizationIds: [organizationId] }, signal),
    seldomMs,
  );
  return data?.organizations[0]?.organizationName || organizationId;
}

/** Folder ids from the root down, as the address has them. An id can have any character. */
export const pathOf = (text: string): string[] => text.split("/").filter(Boolean).map(decoded);
export const pathText = (folderIds: readonly string[]): string => folderIds.map(encodeURIComponent).join("/");

/** The text itself where it is not encoded: anybody can write an address. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
