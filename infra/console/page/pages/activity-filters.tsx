import { Choice } from "../components/fields.tsx";
import { Empty } from "../components/states.tsx";
import { documentsMax, useDocuments } from "../documents.ts";
import { eventText } from "../format.ts";
import { usersMax, useUsers } from "../users.ts";
import { eventTypes } from "./event-types.ts";
import { NameFilter } from "./name-filter.tsx";
import { type Named, textsOf } from "./named-choices.ts";

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

/** Undefined: the filter is one of the choices. The lists of choices end at `max`. */
function unknownText(noun: string, value: string, choices: readonly Named[], max: number): string | undefined {
  if (choices.length === 0 || choices.some(({ id }) => id === value)) return undefined;
  if (choices.length < max) return `There is no ${noun} with the name or id “${value}”.`;
  return `None of the first ${max} ${noun}s has the name or id “${value}”.`;
}
