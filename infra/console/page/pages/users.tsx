import { load } from "../api.ts";
import { Changed } from "../components/changed.tsx";
import { Curl } from "../components/curl.tsx";
import { List } from "../components/list.tsx";
import { Person } from "../components/person.tsx";
import { Empty } from "../components/states.tsx";
import { Tag } from "../components/status.tsx";
import { Time } from "../components/time.tsx";
import { usePaged } from "../paged.ts";
import type { User } from "../types.ts";

export function Users({ organizationId }: { organizationId: string }) {
  const paged = usePaged<User>(["users", organizationId], async (pageToken, signal) => {
    const data = { organizationId, pageToken };
    const reply = await load<{ users: User[]; nextPageToken: string | null }>("v2/users/get", data, signal);
    return { items: reply.users, nextPageToken: reply.nextPageToken };
  });
  const users = [{ userId: "alice", name: "Alice", email: "alice@example.com", accessRole: "editor" }];
  return (
    <List
      label="Users"
      paged={paged}
      empty={
        <Empty title="No users yet.">
          <p>Add the first:</p>
          <Curl path="v2/users/add" data={{ organizationId, users }} />
        </Empty>
      }
    >
      {(user) => (
        <Changed key={user.userId} of={user}>
          <span class="grow row">
            <Person person={user} organizationId={organizationId} />
            <span class="quiet clip">{user.email}</span>
          </span>
          <Role user={user} />
          <code class="quiet clip">{user.userId}</code>
        </Changed>
      )}
    </List>
  );
}

/** What the user may do in the whole organization. */
export function Role({ user }: { user: User }) {
  const { isAdmin, accessRole, expiresAt } = user;
  return (
    <>
      {isAdmin && <Tag>administrator</Tag>}
      {accessRole ? <Tag>{accessRole}</Tag> : <span class="quiet">no organization-wide role</span>}
      {expiresAt !== undefined && (
        <span class="quiet">
          ends <Time at={expiresAt} />
        </span>
      )}
    </>
  );
}
