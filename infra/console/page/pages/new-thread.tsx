import { useState } from "preact/hooks";
import { change } from "../api.ts";
import { Field } from "../components/fields.tsx";
import type { PersonShown } from "../components/person.tsx";
import type { Try } from "../try.ts";
import type { Annotation, DocumentPlace } from "../types.ts";
import { locationText } from "./location.ts";
import { useAuthor } from "./write-as.tsx";
import { WriteForm } from "./write-form.tsx";

type Location = Annotation["location"];

interface NewThreadProps {
  place: DocumentPlace;
  /** The locations that have comments. A further one gets the name that the reader types. */
  locations: readonly Location[];
}

const anywhere = "Whole document";

/** Starts a thread with its first comment. */
export function NewThread({ place, locations }: NewThreadProps) {
  const [name, setName] = useState(anywhere);
  const author = useAuthor(place.organizationId);
  const names = [...new Set([anywhere, ...locations.map(locationText)])];
  const send = (attempt: Try, text: string, from: PersonShown) => {
    const locationName = name.trim() || anywhere;
    const location = locations.find((each) => locationText(each) === locationName) ?? { locationName };
    const { annotationId, commentId } = attempt.kept(["thread", from, location, text], () => ({
      annotationId: crypto.randomUUID(),
      commentId: crypto.randomUUID(),
    }));
    const thread = { annotationId, from, status: "OPEN", comments: [{ commentId, from, text }] };
    const data = { ...place, location, comments: [thread], actionUser: from };
    return change("v2/organizations/documents/data/add", data, attempt);
  };
  return (
    <div class="card new-thread">
      <WriteForm label="New comment" action="Comment" done="Comment added." author={author} send={send}>
        <div class="row as">
          <Field label="Place in the document" value={name} onValue={setName} options={names} />
        </div>
      </WriteForm>
    </div>
  );
}
