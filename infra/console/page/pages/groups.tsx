import { useState } from "preact/hooks";
import { change, load } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Changed } from "../components/changed.tsx";
import { Curl } from "../components/curl.tsx";
import { List } from "../components/list.tsx";
import { Person } from "../components/person.tsx";
import { Empty } from "../components/states.tsx";
import { usePaged } from "../paged.ts";
import type { Try } from "../try.ts";
import type { Group, User } from "../types.ts";

interface Reply {
  organizationUserGroups: Group[];
  members?: User[];
  nextPageToken: string | null;
}

const path = "v2/organizations/usergroups/get";

export function Groups({ organizationId }: { organizationId: string }) {
  const paged = usePaged<Group>(["groups", organizationId], async (pageToken, signal) => {
    const reply = await load<Reply>(path, { organizationId, pageToken }, signal);
    return { items: reply.organizationUserGroups, nextPageToken: reply.nextPageToken };
  });
  const organizationUserGroups = [{ organizationUserGroupId: "reviewers", organizationUserGroupName: "Reviewers" }];
  return (
    <div class="stack">
      <p class="quiet">A notification can name a group: each member gets it. Open a group to see its members.</p>
      <List
        label="Groups"
        paged={paged}
        empty={
          <Empty title="No groups yet.">
            <p>Add the first:</p>
            <Curl path="v2/organizations/usergroups/add" data={{ organizationId, organizationUserGroups }} />
          </Empty>
        }
      >
        {(group) => <GroupRow key={group.organizationUserGroupId} group={group} organizationId={organizationId} />}
      </List>
    </div>
  );
}

function GroupRow({ group, organizationId }: { group: Group; organizationId: string }) {
  const [isOpen, setOpen] = useState(false);
  const { organizationUserGroupId: id, organizationUserGroupName: name } = group;
  return (
    <Changed of={group}>
      <details class="grow" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span class="title">{name || id}</span> <code class="quiet">{id}</code>
        </summary>
        {isOpen && <Members groupId={id} organizationId={organizationId} />}
      </details>
    </Changed>
  );
}

function Members({ groupId, organizationId }: { groupId: string; organizationId: string }) {
  const paged = usePaged<User>(["members", organizationId, groupId], async (pageToken, signal) => {
    const data = { organizationId, organizationUserGroupId: groupId, withMembers: true, pageToken };
    const reply = await load<Reply>(path, data, signal);
    return { items: reply.members ?? [], nextPageToken: reply.nextPageToken };
  });
  const remove = (userId: string, attempt: Try) => {
    const data = { organizationId, organizationUserGroupId: groupId, userIds: [userId] };
    return change("v1/organizations/usergroups/users/delete", data, attempt);
  };
  return (
    <div class="members">
      <List label="Members" paged={paged} class="stack" empty={<p class="quiet">The group has no members.</p>}>
        {(user) => (
          <li key={user.userId} class="row spread">
            <Person person={user} organizationId={organizationId} />
            <Action
              scope="write"
              tone="bare"
              run={(attempt) => remove(user.userId, attempt)}
              done="Removed from the group."
            >
              Remove
            </Action>
          </li>
        )}
      </List>
    </div>
  );
}
