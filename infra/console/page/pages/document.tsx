import { Empty, Loaded, Rows } from "../components/list.tsx";
import { useOrganizationName } from "../components/organization.tsx";
import { Facts, Head, Json, Part, Person, SafeLink, Time } from "../components/page.tsx";
import { accessText } from "../format.ts";
import { useCall, useList } from "../live.ts";
import { address } from "../places.ts";
import type { DocumentPlace, PersonShown, ShownDocument } from "../types.ts";
import { Threads } from "./threads.tsx";

const path = "/console/documents";

/** One document: its comments, who is there, and what it is. */
export function DocumentView({ place }: { place: DocumentPlace }) {
  const { organizationId, documentId } = place;
  const organization = useOrganizationName(organizationId);
  const data = { organizationId, documentIds: [documentId] };
  const live = useCall<{ documents: ShownDocument[] }>("v2/organizations/documents/get", data);
  const found = live.data?.documents[0];
  const trail = [
    [path, "Documents"],
    [address(path, { org: organizationId }), organization],
  ] as const;
  return (
    <>
      <Head title={found?.documentName || documentId} trail={trail}>
        <a href={address("/console/people", { org: organizationId, view: "access", document: documentId })}>
          Who can see this
        </a>
        <a href={address("/console/activity", { org: organizationId, document: documentId })}>Activity</a>
      </Head>
      <Loaded live={live}>
        {() =>
          found ? (
            <div class="columns">
              <Threads place={place} />
              <div>
                <Presence place={place} />
                <Details organizationId={organizationId} document={found} />
              </div>
            </div>
          ) : (
            <Empty title="There is no such document.">
              It may have been deleted. <a href={address(path, { org: organizationId })}>See all documents</a>.
            </Empty>
          )
        }
      </Loaded>
    </>
  );
}

interface Present extends PersonShown {
  updatedAt: string;
}

function Presence({ place }: { place: DocumentPlace }) {
  const list = useList<Present>("v2/presence/get", "users", place);
  return (
    <Part title="Presence">
      <Rows label="Present users" list={list} empty={<p class="quiet">Nobody is here.</p>}>
        {(user) => (
          <li key={user.userId}>
            <Person person={user} organizationId={place.organizationId} />
            <span class="quiet">
              last seen <Time at={user.updatedAt} />
            </span>
          </li>
        )}
      </Rows>
    </Part>
  );
}

interface DetailsProps {
  organizationId: string;
  document: ShownDocument;
}

function Details({ organizationId, document }: DetailsProps) {
  const { documentId, accessType, metadata = {}, createdAt, folderId } = document;
  const { url, ...more } = metadata;
  const folder = folderId && encodeURIComponent(folderId);
  return (
    <Part title="Details">
      <Facts
        of={{
          Id: <code>{documentId}</code>,
          Access: accessText(accessType),
          Folder: folder && <a href={address(path, { org: organizationId, folder })}>{folderId}</a>,
          Link: url === undefined ? undefined : <SafeLink href={String(url)} />,
          Added: <Time at={createdAt} />,
        }}
      />
      {Object.keys(more).length > 0 && <Json label="Metadata" value={more} />}
    </Part>
  );
}
