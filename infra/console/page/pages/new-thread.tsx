import { useState } from "preact/hooks";
import { change } from "../api.ts";
import { Field } from "../components/fields.tsx";
import type { Try } from "../try.ts";
import type { DocumentPlace } from "../types.ts";
import { identityOf, type Locations, locationCalled, textsOfLocations } from "./location.ts";
import { WriteForm, type Written } from "./write-form.tsx";

interface NewThreadProps {
  place: DocumentPlace;
  /** The locations that have comments. A further one gets the name that the reader types. */
  locations: Locations;
  /** The identity of the location that the list is filtered by. Empty: none. */
  at: string;
}

const anywhere = { locationName: "Whole document" };

/** Starts a thread with its first comment, at the place that the list is filtered by unless the reader names another. */
export function NewThread({ place, locations, at }: NewThreadProps) {
  const [typed, setTyped] = useState<{ at: string; name: string }>();
  const all: Locations = new Map([[identityOf(anywhere), anywhere], ...locations]);
  const texts = textsOfLocations(all);
  const usual = texts.get(at || identityOf(anywhere)) ?? "";
  const name = typed?.at === at ? typed.name : usual;
  const send = (attempt: Try, written: Written) => {
    const { text, from } = written;
    const location = locationCalled(all, (name.trim() || usual).trim());
    const { annotationId, commentId, createdAt } = attempt.kept(["thread", from, location, text], () => ({
      annotationId: crypto.randomUUID(),
      commentId: crypto.randomUUID(),
      createdAt: new Date().toISOString(),
    }));
    const comment = { commentId, ...written, createdAt };
    const thread = { annotationId, from, status: "OPEN", createdAt, comments: [comment] };
    const data = { ...place, location, comments: [thread], actionUser: from };
    return change("v2/organizations/documents/data/add", data, attempt);
  };
  return (
    <div class="card new-thread">
      <WriteForm
        label="New comment"
        action="Comment"
        done="Comment added."
        organizationId={place.organizationId}
        send={send}
      >
        <div class="row as">
          <Field
            label="Place in the document"
            value={name}
            onValue={(value) => setTyped({ at, name: value })}
            options={[...texts.values()]}
          />
        </div>
      </WriteForm>
    </div>
  );
}
