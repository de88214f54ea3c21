import { change } from "../api.ts";
import { Field } from "../components/fields.tsx";
import type { Try } from "../try.ts";
import { useTyped } from "../typed.ts";
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

/**
 * Starts a thread with its first comment, at the place that the list is filtered by unless the reader names another. The
 * place of a text that is not sent stays, whatever the list is filtered by meanwhile.
 */
export function NewThread({ place, locations, at }: NewThreadProps) {
  const { typed, write } = useTyped(place);
  const text = typed?.text ?? "";
  const all: Locations = new Map([[identityOf(anywhere), anywhere], ...locations]);
  const texts = textsOfLocations(all);
  const usual = texts.get(at || identityOf(anywhere)) ?? "";
  const kept = typed?.where && (text || typed.where.filter === at) ? typed.where : undefined;
  const { name } = kept ?? { name: usual };
  const send = (attempt: Try, written: Written) => {
    const { text: sent, from } = written;
    const location = locationCalled(all, (name.trim() || usual).trim());
    const { annotationId, commentId, createdAt } = attempt.kept(["thread", from, location, sent], () => ({
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
        at={place}
        where={{ name, filter: at }}
        send={send}
      >
        <div class="row as">
          <Field
            label="Place in the document"
            value={name}
            onValue={(value) => write(text, { name: value, filter: at })}
            options={[...texts.values()]}
          />
        </div>
      </WriteForm>
    </div>
  );
}
