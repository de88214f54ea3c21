import { Choice } from "../components/fields.tsx";
import { Empty } from "../components/states.tsx";
import { documentsMax, useDocuments } from "../documents.ts";
import { eventText } from "../format.ts";
import { usersMax, useUsers } from "../users.ts";
import { eventTypes } from "./event-types.ts";
import { NameFilter } from "./name-filter.tsx";
import { idOf, type Named, textsOf, unknownText } from "./named-choices.ts";

/** As the address has them. An empty one is none. */
export interface Filters {
  type: string;
  user: string;
  document: string;
  order: string;
}

export interface FiltersProps {
  organizationId: string;
  filters: Filters;
  onFilter: (next: Partial<Filters>) => void;
}

export function ActivityFilters({ organizationId, filters, onFilter }: FiltersProps) {
  const { users, documents } = useChoices(organizationId);
  return (
    <div class="filters">
      <Choice
        label="Event"
        value={filters.type}
        onValue={(type) => onFilter({ type })}
        options={[["", "All events"], ...eventTypes.map((each) => [each, `${eventText(each)} (${each})`] as const)]}
      />
      <NameFilter label="User" value={filters.user} choices={users} onValue={(user) => onFilter({ user })} />
      <NameFilter
        label="Document"
        value={filters.document}
        choices={documents}
        onValue={(document) => onFilter({ document })}
      />
      <Choice
        label="Order"
        value={filters.order}
        onValue={(order) => onFilter({ order })}
        options={[
          ["newest", "Newest first"],
          ["oldest", "Oldest first"],
        ]}
      />
    </div>
  );
}

function useChoices(organizationId: string): { users: Named[]; documents: Named[] } {
  const users = useUsers(organizationId).data ?? [];
  const documents = useDocuments(organizationId).data ?? [];
  return {
    users: users.map(({ userId, name }) => ({ id: userId, name })),
    documents: documents.map(({ documentId, documentName }) => ({ id: documentId, name: documentName })),
  };
}

/** An address can have a name: it is then the filter for the id, as soon as the list is there. */
export function useResolved(organizationId: string, filters: Filters): Filters {
  const { users, documents } = useChoices(organizationId);
  const { user, document } = filters;
  return { ...filters, user: idOf(users, user) ?? user, document: idOf(documents, document) ?? document };
}

/** Says which filter nothing matches. */
export function NoActivity({ organizationId, filters, onFilter }: FiltersProps) {
  const { type, user, document } = filters;
  const { users, documents } = useChoices(organizationId);
  if (!type && !user && !document)
    return (
      <Empty title="Nothing is recorded yet.">
        <p>A change appears here 15 to 20 seconds after its call. Add a document or a comment to see it.</p>
      </Empty>
    );
  const unknown = [
    user && unknownText("user", user, users, usersMax),
    document && unknownText("document", document, documents, documentsMax),
  ].filter(Boolean);
  const wanted = [
    type && `the event “${eventText(type)}”`,
    user && `the user “${textsOf(users).get(user) ?? user}”`,
    document && `the document “${textsOf(documents).get(document) ?? document}”`,
  ].filter(Boolean);
  return (
    <Empty title={`No activity has ${wanted.join(" and ")}.`}>
      {unknown.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p>
        <button type="button" onClick={() => onFilter({ type: "", user: "", document: "" })}>
          Show all activities
        </button>
      </p>
    </Empty>
  );
}
