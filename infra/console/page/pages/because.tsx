import { Avatar } from "../components/person.tsx";
import { Time } from "../components/time.tsx";
import type { PersonShown } from "../types.ts";

/** One user's access to one thing, with what decided. */
export interface Entry {
  accessRole?: "viewer" | "editor";
  accessType?: "public" | "organizationPrivate" | "restricted";
  expiresAt?: number;
  errorCode?: string;
  because?: {
    level: "document" | "folder" | "organization" | "accessType" | "admin" | "provider" | "none";
    id: string;
    accessRole?: "viewer" | "editor";
  };
}

interface SentenceProps {
  user: PersonShown;
  entry: Entry | undefined;
  what: string;
  folderNames: Map<string, string>;
}

/** "Alice can edit Launch plan because of a grant on the folder Plans (editor)." */
export function Sentence({ user, entry, what, folderNames }: SentenceProps) {
  const { accessRole, accessType, because, errorCode, expiresAt } = entry ?? {};
  const verb = accessRole === "editor" ? "can edit" : accessRole ? "can view" : "cannot see";
  return (
    <li>
      <Avatar {...user} /> <strong>{user.name || user.userId}</strong> {verb} {what}
      {accessRole && because && <> because {reason(because, folderNames)}</>}
      {!accessRole && <>: {refusalOf({ errorCode, level: because?.level, accessType })}</>}
      {expiresAt !== undefined && (
        <>
          , until <Time at={expiresAt} />
        </>
      )}
      .
    </li>
  );
}

function reason(because: NonNullable<Entry["because"]>, folderNames: Map<string, string>): string {
  const { level, id, accessRole } = because;
  const role = accessRole ? ` (${accessRole})` : "";
  if (level === "folder") return `of a grant on the folder ${folderNames.get(id) ?? id}${role}`;
  const texts = {
    document: `of a grant on the document itself${role}`,
    organization: `of a grant on the whole organization${role}`,
    accessType: "it is public",
    admin: "of being an administrator of the organization",
    provider: "the permission provider says so",
    none: "nothing forbids it",
  };
  return texts[level];
}

interface Refusal {
  errorCode: string | undefined;
  level: string | undefined;
  accessType: Entry["accessType"];
}

function refusalOf({ errorCode, level, accessType }: Refusal): string {
  if (errorCode === "does_not_exist") return "it does not exist";
  if (errorCode === "something_went_wrong") return "the permission provider gave no usable answer";
  if (level === "provider") return "the permission provider refuses it";
  if (accessType === "restricted") return "it is restricted, so only a grant on it or on a folder above it counts";
  return "no grant on it or above it gives access";
}
