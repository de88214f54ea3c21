import { useState } from "preact/hooks";
import { Changed } from "../components/changed.tsx";
import { Json } from "../components/json.tsx";
import { Person } from "../components/person.tsx";
import { Time } from "../components/time.tsx";
import { eventText } from "../format.ts";
import { address } from "../places.ts";
import type { PersonShown } from "../types.ts";

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

/** `name`: of the user who did it, if it is known. */
export function ActivityRow({ activity, name }: { activity: Activity; name: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const { organizationId, documentId, documentName, actionUser, eventType, displayMessage, createdAt } = activity;
  const { changes, metadata, activityId, updatedAt } = activity;
  return (
    <Changed of={activity}>
      <span class="who">
        {actionUser ? (
          <Person person={{ ...actionUser, name: actionUser.name ?? name }} organizationId={organizationId} />
        ) : (
          <span class="quiet">No user named</span>
        )}
      </span>
      <span class="grow">
        {displayMessage ?? eventText(eventType)}
        {documentId && (
          <>
            {displayMessage === undefined && !eventType.startsWith("document.") ? " on " : " "}
            <a href={address("/console/documents", { org: organizationId, document: documentId })}>
              {documentName || documentId}
            </a>
          </>
        )}
        {updatedAt && <span class="quiet"> (changed later)</span>}
      </span>
      <Time at={createdAt} />
      <button type="button" class="bare" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Details
      </button>
      {isOpen && (
        <div class="whole">
          <Json label="Details of the activity" value={{ activityId, eventType, changes, metadata }} />
        </div>
      )}
    </Changed>
  );
}
