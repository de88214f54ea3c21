import { useLocation } from "preact-iso";
import { load } from "../api.ts";
import { Changed } from "../components/changed.tsx";
import { Curl } from "../components/curl.tsx";
import { Head, Part } from "../components/head.tsx";
import { List } from "../components/list.tsx";
import { Empty } from "../components/states.tsx";
import { Time } from "../components/time.tsx";
import { usePaged } from "../paged.ts";
import { address } from "../places.ts";
import type { Organization } from "../types.ts";
import { DocumentView } from "./document.tsx";
import { FolderView } from "./folder.tsx";

/** Organizations, then folders and documents, then one document. */
export function Documents() {
  const { query } = useLocation();
  const { org: organizationId, document: documentId } = query;
  if (!organizationId) return <Organizations />;
  if (documentId)
    return (
      <DocumentView
        key={JSON.stringify([organizationId, documentId])}
        place={{ organizationId, documentId }}
        folder={query.folder}
      />
    );
  return (
    <FolderView
      key={JSON.stringify([organizationId, query.folder])}
      organizationId={organizationId}
      path={query.folder ?? ""}
    />
  );
}

function Organizations() {
  const paged = usePaged<Organization>("organizations", async (pageToken, signal) => {
    const reply = await load<{ organizations: Organization[]; nextPageToken: string | null }>(
      "v2/organizations/get",
      { pageToken },
      signal,
    );
    return { items: reply.organizations, nextPageToken: reply.nextPageToken };
  });
  return (
    <>
      <Head title="Documents" />
      <Part title="Organizations">
        <p class="quiet">An organization is one customer. Choose one to see its folders and documents.</p>
        <List
          label="Organizations"
          paged={paged}
          empty={
            <Empty title="No organizations yet.">
              <p>An organization is one customer with its folders, documents and users. Add the first:</p>
              <Curl
                path="v2/organizations/add"
                data={{ organizations: [{ organizationId: "acme", organizationName: "Acme" }] }}
              />
            </Empty>
          }
        >
          {(each) => (
            <Changed key={each.organizationId} of={each}>
              <a class="title grow" href={address("/console/documents", { org: each.organizationId })}>
                {each.organizationName || each.organizationId}
              </a>
              <code class="quiet">{each.organizationId}</code>
              <span class="quiet">
                added <Time at={each.createdAt} />
              </span>
            </Changed>
          )}
        </List>
      </Part>
    </>
  );
}
