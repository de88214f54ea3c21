import { load } from "../api.ts";
import { Changed } from "../components/changed.tsx";
import { Curl } from "../components/curl.tsx";
import { Head, Part } from "../components/head.tsx";
import { List } from "../components/list.tsx";
import { Empty } from "../components/states.tsx";
import { Tag } from "../components/status.tsx";
import { Time } from "../components/time.tsx";
import { accessText } from "../format.ts";
import { folderTrail, pathOf, pathText, rememberFolder, useOrganizationName } from "../names.ts";
import { usePaged } from "../paged.ts";
import { address } from "../places.ts";
import type { Folder, ShownDocument } from "../types.ts";

const path = "/console/documents";

/** The folders and documents of an organization, or of one folder. */
export function FolderView({ organizationId, path: text }: { organizationId: string; path: string }) {
  const name = useOrganizationName(organizationId);
  const folderIds = pathOf(text);
  const above = [
    [path, "Documents"] as const,
    [address(path, { org: organizationId }), name] as const,
    ...folderTrail(organizationId, folderIds),
  ];
  const title = above.at(-1)?.[1] ?? name;
  return (
    <>
      <Head title={title} trail={above.slice(0, -1)}>
        <a href={address("/console/people", { org: organizationId, view: "access", folder: folderIds.at(-1) })}>
          Who can see this
        </a>
        <a href={address("/console/people", { org: organizationId })}>People</a>
        <a href={address("/console/activity", { org: organizationId })}>Activity</a>
      </Head>
      <Folders organizationId={organizationId} folderIds={folderIds} />
      <DocumentsOf organizationId={organizationId} folderIds={folderIds} />
    </>
  );
}

interface Within {
  organizationId: string;
  folderIds: string[];
}

function Folders({ organizationId, folderIds }: Within) {
  const parentFolderId = folderIds.at(-1);
  const paged = usePaged<Folder>(["folders", organizationId, pathText(folderIds)], async (pageToken, signal) => {
    const data = { organizationId, parentFolderId, pageToken };
    const reply = await load<{ folders: Folder[]; nextPageToken: string | null }>(
      "v2/organizations/folders/get",
      data,
      signal,
    );
    for (const each of reply.folders) rememberFolder(organizationId, each.folderId, each.folderName || each.folderId);
    return { items: reply.folders, nextPageToken: reply.nextPageToken };
  });
  return (
    <Part title="Folders">
      <List label="Folders" paged={paged} empty={<p class="quiet">No folders here.</p>}>
        {(each) => (
          <Changed key={each.folderId} of={each}>
            <a
              class="title grow"
              href={address(path, { org: organizationId, folder: pathText([...folderIds, each.folderId]) })}
            >
              {each.folderName || each.folderId}
            </a>
            {each.deletionJobId && <Tag>being deleted</Tag>}
            {each.accessType && <Tag>{accessText(each.accessType)}</Tag>}
            <code class="quiet clip">{each.folderId}</code>
          </Changed>
        )}
      </List>
    </Part>
  );
}

function DocumentsOf({ organizationId, folderIds }: Within) {
  const folderId = folderIds.at(-1);
  const folder = pathText(folderIds);
  const paged = usePaged<ShownDocument>(["documents", organizationId, folderId], async (pageToken, signal) => {
    const reply = await load<{ documents: ShownDocument[]; nextPageToken: string | null }>(
      "v2/organizations/documents/get",
      { organizationId, folderId, pageToken },
      signal,
    );
    return { items: reply.documents, nextPageToken: reply.nextPageToken };
  });
  const data = { organizationId, folderId, documents: [{ documentId: "launch-plan", documentName: "Launch plan" }] };
  return (
    <Part title={folderId === undefined ? "All documents" : "Documents"}>
      <List
        label="Documents"
        paged={paged}
        empty={
          <Empty title="No documents yet.">
            <p>Add the first:</p>
            <Curl path="v1/organizations/documents/add" data={data} />
          </Empty>
        }
      >
        {(each) => (
          <Changed key={each.documentId} of={each}>
            <a class="title grow" href={address(path, { org: organizationId, folder, document: each.documentId })}>
              {each.documentName || each.documentId}
            </a>
            {each.accessType && <Tag>{accessText(each.accessType)}</Tag>}
            <code class="quiet clip">{each.documentId}</code>
            <span class="quiet">
              added <Time at={each.createdAt} />
            </span>
          </Changed>
        )}
      </List>
    </Part>
  );
}
