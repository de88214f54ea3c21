// What Ctrl K finds in addition to pages: the content of the chosen organization, all organizations, webhook endpoints.
import { load } from "../api.ts";
import { documentsMax, useDocuments } from "../documents.ts";
import { plural } from "../format.ts";
import { seldomMs, useLive } from "../live.ts";
import { pathText, useFolders } from "../names.ts";
import { address } from "../places.ts";
import { useRefusal } from "../session.ts";
import type { Folder, Organization, ShownDocument, User } from "../types.ts";
import { usersMax, useUsers } from "../users.ts";
import type { Command } from "./commands.ts";
import { useOrganizationId, useOrganizations } from "./organization-choice.tsx";

interface Finds {
  commands: Command[];
  isLoading: boolean;
  /** What of the organization is not searched. */
  gap: string | undefined;
}

export function useFinds(): Finds {
  const org = useOrganizationId();
  const organizations = useOrganizations();
  const documents = useDocuments(org);
  const folders = useFolders(org);
  const users = useUsers(org);
  const endpoints = useEndpoints();
  const lists = org === undefined ? [organizations] : [organizations, documents, folders, users];
  const all = organizations.data ?? [];
  const name = all.find(({ organizationId }) => organizationId === org)?.organizationName || org || "";
  return {
    commands: [
      ...(documents.data ?? []).map((each) => ofDocument(each, org, name)),
      ...(users.data ?? []).map((each) => ofUser(each, org, name)),
      ...(folders.data ?? []).map((each) => ofFolder(each, org, name)),
      ...all.map(ofOrganization),
      ...endpoints,
    ],
    isLoading: lists.some(({ data, failure }) => !data && !failure),
    gap: lists.some(({ failure }) => failure)
      ? "Some lists could not be read, so not everything is searched."
      : limitOf(documents.data?.length === documentsMax, users.data?.length === usersMax, name),
  };
}

const ofDocument = ({ documentId, documentName }: ShownDocument, org: string | undefined, name: string): Command => ({
  title: documentName || documentId,
  about: `document of ${name}`,
  path: address("/console/documents", { org, document: documentId }),
  words: documentId,
});

const ofUser = ({ userId, name: own, email = "" }: User, org: string | undefined, name: string): Command => ({
  title: own || userId,
  about: `user of ${name}`,
  path: address("/console/people", { org, user: userId }),
  words: `${userId} ${email}`,
});

const ofFolder = ({ folderId, folderName }: Folder, org: string | undefined, name: string): Command => ({
  title: folderName || folderId,
  about: `folder of ${name}`,
  path: address("/console/documents", { org, folder: pathText([folderId]) }),
  words: folderId,
});

const ofOrganization = ({ organizationId, organizationName }: Organization): Command => ({
  title: organizationName || organizationId,
  about: "organization",
  path: address("/console/documents", { org: organizationId }),
  words: organizationId,
});

/** The first page of the endpoints, in a window that may see them. */
function useEndpoints(): Command[] {
  const isRefused = useRefusal("admin") !== undefined;
  type Endpoints = { endpoints: { id: string; url: string; description: string }[] };
  const { data } = useLive(
    isRefused ? undefined : "endpoints to find",
    (signal) => load<Endpoints>("v2/workspace/advancedwebhook/endpoints/get", {}, signal),
    seldomMs,
  );
  return (data?.endpoints ?? []).map(({ id, url, description }) => ({
    title: description || url,
    about: "webhook endpoint",
    path: address("/console/webhooks", { endpoint: id }),
    words: `${id} ${url}`,
  }));
}

function limitOf(isDocuments: boolean, isUsers: boolean, name: string): string | undefined {
  const searched = [isDocuments && plural(documentsMax, "document"), isUsers && plural(usersMax, "user")].filter(
    Boolean,
  );
  return searched.length === 0 ? undefined : `Of ${name}, only the first ${searched.join(" and ")} are searched.`;
}
