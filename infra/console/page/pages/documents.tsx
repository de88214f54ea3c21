import { useLocation } from "preact-iso";
import { decoded } from "../../../local/decoded.ts";
import { Empty, Rows } from "../components/list.tsx";
import { useOrganizationName } from "../components/organization.tsx";
import { Head, Part, Tag, Time } from "../components/page.tsx";
import { accessText } from "../format.ts";
import { useList } from "../live.ts";
import { address } from "../places.ts";
import type { Folder, Organization, ShownDocument } from "../types.ts";
import { DocumentView } from "./document.tsx";

const path = "/console/documents";

/** Organizations, then folders and documents, then one document. */
export function Documents() {
  const { org: organizationId, document: documentId, folder = "" } = useLocation().query;
  if (!organizationId) return <Organizations />;
  if (documentId) return <DocumentView key={documentId} place={{ organizationId, documentId }} />;
  return <FolderView key={folder} organizationId={organizationId} folderIds={folder.split("/").filter(Boolean)} />;
}

function Organizations() {
  const list = useList<Organization>("v2/organizations/get", "organizations", {});
  return (
    <>
      <Head title="Documents" />
      <Part title="Organizations">
        <p class="quiet">An organization is one customer. Choose one to see its folders and documents.</p>
        <Rows
          label="Organizations"
          list={list}
          empty={
            <Empty title="No organizations yet.">
              The <a href="/docs">reference</a> says how to add one.
            </Empty>
          }
        >
          {({ organizationId, organizationName, createdAt }) => (
            <li key={organizationId}>
              <a class="grow" href={address(path, { org: organizationId })}>
                {organizationName || organizationId}
              </a>
              <code class="quiet">{organizationId}</code>
              <Time at={createdAt} />
            </li>
          )}
        </Rows>
      </Part>
    </>
  );
}

interface Within {
  organizationId: string;
  /** From the root down, each percent-encoded: an id can have any character. */
  folderIds: string[];
}

/** The folders and documents of an organization, or of one folder. */
function FolderView({ organizationId, folderIds }: Within) {
  const name = useOrganizationName(organizationId);
  const [last] = folderIds.slice(-1).map(decoded);
  const trail = [
    [path, "Documents"] as const,
    [address(path, { org: organizationId }), name] as const,
    ...folderIds.map((id, depth) => {
      const folder = folderIds.slice(0, depth + 1).join("/");
      return [address(path, { org: organizationId, folder }), decoded(id)] as const;
    }),
  ];
  return (
    <>
      <Head title={last ?? name} trail={trail.slice(0, -1)}>
        <a href={address("/console/people", { org: organizationId, view: "access", folder: last })}>Who can see this</a>
        <a href={address("/console/people", { org: organizationId })}>People</a>
        <a href={address("/console/activity", { org: organizationId })}>Activity</a>
      </Head>
      <Folders organizationId={organizationId} folderIds={folderIds} />
      <DocumentsOf organizationId={organizationId} folderId={last} />
    </>
  );
}

function Folders({ organizationId, folderIds }: Within) {
  const [parentFolderId] = folderIds.slice(-1).map(decoded);
  const list = useList<Folder>("v2/organizations/folders/get", "folders", { organizationId, parentFolderId });
  return (
    <Part title="Folders">
      <Rows label="Folders" list={list} empty={<p class="quiet">No folders here.</p>}>
        {({ folderId, folderName, deletionJobId, accessType }) => {
          const folder = [...folderIds, encodeURIComponent(folderId)].join("/");
          return (
            <li key={folderId}>
              <a class="grow" href={address(path, { org: organizationId, folder })}>
                {folderName || folderId}
              </a>
              {deletionJobId && <Tag>being deleted</Tag>}
              {accessType && <Tag>{accessText(accessType)}</Tag>}
              <code class="quiet">{folderId}</code>
            </li>
          );
        }}
      </Rows>
    </Part>
  );
}

function DocumentsOf({ organizationId, folderId }: { organizationId: string; folderId: string | undefined }) {
  const list = useList<ShownDocument>("v2/organizations/documents/get", "documents", { organizationId, folderId });
  return (
    <Part title={folderId === undefined ? "All documents" : "Documents"}>
      <Rows
        label="Documents"
        list={list}
        empty={
          <Empty title="No documents yet.">
            The <a href="/docs">reference</a> says how to add one.
          </Empty>
        }
      >
        {({ documentId, documentName, accessType, createdAt }) => (
          <li key={documentId}>
            <a class="grow" href={address(path, { org: organizationId, document: documentId })}>
              {documentName || documentId}
            </a>
            {accessType && <Tag>{accessText(accessType)}</Tag>}
            <code class="quiet">{documentId}</code>
            <Time at={createdAt} />
          </li>
        )}
      </Rows>
    </Part>
  );
}
