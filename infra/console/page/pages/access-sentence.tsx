// One user's access to one thing, with what decided, and the end of the grant that decided.
import { change, type KeyOf } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Person, Time } from "../components/page.tsx";
import { address, documentAddress } from "../places.ts";
import type { PersonShown } from "../types.ts";

export type Kind = "document" | "folder" | "organization";

export interface Entry {
  accessRole?: "viewer" | "editor";
  accessType?: "public" | "organizationPrivate" | "restricted";
  expiresAt?: number;
  errorCode?: string;
  because?: Because;
}

interface Because {
  level: Kind | "accessType" | "admin" | "provider" | "none";
  id: string;
  accessRole?: "viewer" | "editor";
}

interface SentenceProps {
  organizationId: string;
  user: PersonShown;
  entry: Entry;
  thing: { kind: Kind; id: string };
  nameOf: (kind: Kind, id: string) => string;
}

/** "Alice can edit Launch plan because of a grant on the folder Plans (editor)." */
export function Sentence({ organizationId, user, entry, thing, nameOf }: SentenceProps) {
  const { accessRole, because, expiresAt } = entry;
  const verb = accessRole === "editor" ? "can edit" : accessRole ? "can view" : "cannot see";
  const level = because?.level;
  const isGrant = accessRole && (level === "document" || level === "folder" || level === "organization");
  const grant = isGrant && because ? { kind: level, id: because.id, role: because.accessRole } : undefined;
  const place = { organizationId, nameOf };
  return (
    <>
      <span class="grow">
        <Person person={user} organizationId={organizationId} /> {verb} <Thing {...place} {...thing} />
        {grant && (
          <>
            {" "}
            because of a grant on {grant.kind === thing.kind ? `the ${grant.kind} itself` : <>{article[grant.kind]} </>}
            {grant.kind !== thing.kind && <Thing {...place} {...grant} />}
            {grant.role && ` (${grant.role})`}
          </>
        )}
        {accessRole && level && !grant && ` because ${reasons[level] ?? ""}`}
        {!accessRole && `: ${refusal(entry)}`}
        {expiresAt !== undefined && (
          <>
            , until <Time at={expiresAt} />
          </>
        )}
        .
      </span>
      {grant && <Removal {...place} user={user} grant={grant} />}
      {level === "admin" && <AdminRemoval organizationId={organizationId} user={user} />}
    </>
  );
}

const article = { document: "the document", folder: "the folder", organization: "the whole organization" };

function Thing({
  organizationId: org,
  kind,
  id,
  nameOf,
}: Omit<SentenceProps, "user" | "entry" | "thing"> & { kind: Kind; id: string }) {
  const folder = kind === "folder" ? encodeURIComponent(id) : undefined;
  const href = kind === "document" ? documentAddress(org, id) : address("/console/documents", { org, folder });
  return <a href={href}>{nameOf(kind, id)}</a>;
}

interface RemovalProps extends Pick<SentenceProps, "organizationId" | "user" | "nameOf"> {
  grant: { kind: Kind; id: string };
}

function Removal({ organizationId, user, nameOf, grant: { kind, id } }: RemovalProps) {
  const name = user.name || user.userId;
  const remove = (keyOf: KeyOf) => {
    const resource = { type: kind, id, ...(kind !== "organization" && { organizationId }) };
    const data = { user: { userId: user.userId }, permissions: { resources: [resource] } };
    return change("v2/auth/permissions/remove", data, keyOf);
  };
  const inside = kind === "document" ? "" : " It also ends what the grant gives on everything inside.";
  const text = `The grant of ${name} on ${article[kind]} ${nameOf(kind, id)} ends.${inside} Another grant can still give access.`;
  return (
    <Action
      scope="write"
      isBad
      run={remove}
      done="The grant has ended."
      ask={{ title: "Remove this grant?", text }}
      label={`Remove the grant of ${name} on ${nameOf(kind, id)}`}
    >
      Remove the grant
    </Action>
  );
}

function AdminRemoval({ organizationId, user: { userId, name } }: Pick<SentenceProps, "organizationId" | "user">) {
  const remove = (keyOf: KeyOf) =>
    change("v2/users/update", { organizationId, users: [{ userId, isAdmin: false }] }, keyOf);
  const text = `${name || userId} keeps the role on the organization, and every other grant.`;
  return (
    <Action
      scope="write"
      isBad
      run={remove}
      done="The user is no administrator any more."
      ask={{ title: "Remove the administrator rights?", text }}
      label={`Remove the administrator rights of ${name || userId}`}
    >
      Remove the rights
    </Action>
  );
}

const reasons: Partial<Record<Because["level"], string>> = {
  accessType: "it is public",
  admin: "of being an administrator of the organization",
  provider: "the permission provider says so",
  none: "nothing forbids it",
};

function refusal({ errorCode, because, accessType }: Entry): string {
  if (errorCode === "does_not_exist") return "it does not exist";
  if (errorCode === "something_went_wrong") return "the permission provider gave no usable answer";
  if (because?.level === "provider") return "the permission provider refuses it";
  if (accessType === "restricted") return "it is restricted, so only a grant on it or on a folder above it counts";
  return "no grant on it or above it gives access";
}
