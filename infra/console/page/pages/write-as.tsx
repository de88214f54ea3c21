// A comment needs an author. The console has no user of its own, so its reader chooses one of the organization.
import { Choice } from "../components/fields.tsx";
import { store, useStore } from "../store.ts";
import type { PersonShown } from "../types.ts";
import { useUsers } from "../users.ts";

const chosen = store<string>("");

/** Who writes replies and changes. Undefined: the organization has no users. */
export function useAuthor(organizationId: string): PersonShown | undefined {
  const userId = useStore(chosen);
  const users = useUsers(organizationId).data;
  const user = users?.find((each) => each.userId === userId) ?? users?.[0];
  return user && { userId: user.userId, ...(user.name && { name: user.name }) };
}

export function WriteAs({ organizationId }: { organizationId: string }) {
  const author = useAuthor(organizationId);
  const users = useUsers(organizationId).data;
  if (!users?.length) return null;
  return (
    <div class="row as">
      <Choice
        label="Write as"
        value={author?.userId ?? ""}
        onValue={(userId) => chosen.set(userId)}
        options={users.map(({ userId, name }) => [userId, name || userId] as const)}
      />
    </div>
  );
}
