import { useState } from "preact/hooks";
import { Changed } from "../components/changed.tsx";
import { Json } from "../components/json.tsx";
import { Person, type PersonShown } from "../components/person.tsx";
import { Tag } from "../components/status.tsx";
import { Time } from "../components/time.tsx";
import { inWords } from "../format.ts";
import { address } from "../places.ts";

export interface Activity {
  activityId: string;
  organizationId: string;
  documentId?: string;
  documentName?: string;
  actionUser?: PersonShown;
  eventType: string;
  displayMessage?: string;
  changes?: object;
  metadata?: object;
  createdAt: string;
  updatedAt?: string;
}

export function ActivityRow({ activity }: { activity: Activity }) {
  const [isOpen, setOpen] = useState(false);
  const { organizationId, documentId, documentName, actionUser, eventType, displayMessage, createdAt } = activity;
  const { changes, metadata, activityId, updatedAt } = activity;
  return (
    <Changed of={activity}>
      <span class="who">
        {actionUser ? (
          <Person person={actionUser} organizationId={organizationId} />
        ) : (
          <span class="quiet">nobody named</span>
        )}
      </span>
      <span class="grow">
        {displayMessage ?? inWords(eventType)}
        {documentId && (
          <>
            {" "}
            <a href={address("/console/documents", { org: organizationId, document: documentId })}>
              {documentName || documentId}
            </a>
          </>
        )}
        {updatedAt && <span class="quiet"> (changed later)</span>}
      </span>
      <Tag>{eventType}</Tag>
      <Time at={createdAt} />
      <details class="whole" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary class="quiet">Details</summary>
        {isOpen && <Json label="Details of the activity" value={{ activityId, changes, metadata }} />}
      </details>
    </Changed>
  );
}
