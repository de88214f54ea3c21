import { useState } from "preact/hooks";
import { load } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Part } from "../components/head.tsx";
import { Json } from "../components/json.tsx";
import { plural } from "../format.ts";
import { pagesOf } from "../paging.ts";
import type { Try } from "../try.ts";

interface Exported {
  profile: object | null;
  comments: object[];
  reactions: object[];
  recordings: object[];
  notifications: object[];
  nextPageToken: string | null;
}

/** All data of the user, page by page, as one file. */
async function readExport(organizationId: string, userId: string, signal: AbortSignal) {
  const whole: Omit<Exported, "nextPageToken"> = {
    profile: null,
    comments: [],
    reactions: [],
    recordings: [],
    notifications: [],
  };
  const read = (pageToken?: string) =>
    load<Exported>("v2/users/data/get", { organizationId, userId, pageToken }, signal);
  for await (const page of pagesOf(read)) {
    whole.profile ??= page.profile;
    for (const part of ["comments", "reactions", "recordings", "notifications"] as const)
      whole[part].push(...(page[part] ?? []));
  }
  return whole;
}

export function Export({ organizationId, userId }: { organizationId: string; userId: string }) {
  const [shown, setShown] = useState<Awaited<ReturnType<typeof readExport>>>();
  const show = async ({ signal }: Try) => setShown(await readExport(organizationId, userId, signal));
  const save = () => {
    const url = URL.createObjectURL(new Blob([JSON.stringify(shown, undefined, 2)], { type: "application/json" }));
    const link = Object.assign(document.createElement("a"), { href: url, download: "user-data.json" });
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <Part title="Data of this user">
      <p class="quiet">
        The profile, and each comment, reaction, recording and notification that the user wrote or got.
      </p>
      <div class="row">
        <Action scope="read" run={show}>
          {shown ? "Load again" : "Show the data"}
        </Action>
        {shown && (
          <button type="button" onClick={save}>
            Save as a file
          </button>
        )}
      </div>
      {shown && (
        <>
          <p>
            {plural(shown.comments.length, "comment thread")}, {plural(shown.reactions.length, "reaction")},{" "}
            {plural(shown.recordings.length, "recording")}, {plural(shown.notifications.length, "notification")}.
          </p>
          <Json label="Data of the user" value={shown} />
        </>
      )}
    </Part>
  );
}
