import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { change, type KeyOf } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Filter } from "../components/fields.tsx";
import { Empty, Rows } from "../components/list.tsx";
import { OfOrganization } from "../components/organization.tsx";
import { Part, Person, Tabs, Tag, Time } from "../components/page.tsx";
import { useList } from "../live.ts";
import { address, userAddress } from "../places.ts";
import type { User } from "../types.ts";
import { AccessView } from "./access.tsx";
import { UserView } from "./user.tsx";

const path = "/console/people";

/** Users, groups, and who can see what. */
export function People() {
  const { org, user, view } = useLocation().query;
  if (org && user && view !== "access") return <UserView key={user} organizationId={org} userId={user} />;
  return (
    <OfOrganization title="People" path={path}>
      {(organizationId) => <Views key={organizationId} organizationId={organizationId} view={view} />}
    </OfOrganization>
  );
}

interface ViewsProps {
  organizationId: string;
  view: string | undefined;
}

function Views({ organizationId, view }: ViewsProps) {
  const current = view === "groups" ? "Groups" : view === "access" ? "Who can see what" : "Users";
  const tabs = [
    [address(path, { org: organizationId }), "Users"],
    [address(path, { org: organizationId, view: "groups" }), "Groups"],
    [address(path, { org: organizationId, view: "access" }), "Who can see what"],
  ] as const;
  return (
    <>
      <Tabs label="People" tabs={tabs} current={current} />
      {current === "Users" && <Users organizationId={organizationId} />}
      {current === "Groups" && <Groups organizationId={organizationId} />}
      {current === "Who can see what" && <AccessView organizationId={organizationId} />}
    </>
  );
}

function Users({ organizationId }: { organizationId: string }) {
  const { route } = useLocation();
  const list = useList<User>("v2/users/get", "users", { organizationId });
  const open = (user: string) => user && route(userAddress(organizationId, user));
  const options = (list.items ?? []).map(({ userId, name }) => [userId, name ?? ""] as const);
  return (
    <Part title="Users" aside={<Filter label="Open a user" value="" onValue={open} options={options} />}>
      <Rows
        label="Users"
        list={list}
        empty={
          <Empty title="No users yet.">
            The <a href="/docs">reference</a> says how to add one.
          </Empty>
        }
      >
        {(user) => (
          <li key={user.userId}>
            <span class="grow">
              <Person person={user} organizationId={organizationId} /> <span class="quiet">{user.email}</span>
            </span>
            <Role user={user} />
            <code class="quiet">{user.userId}</code>
          </li>
        )}
      </Rows>
    </Part>
  );
}

/** What the user may do in the whole organization. */
export function Role({ user: { isAdmin, accessRole, expiresAt } }: { user: User }) {
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

interface Group {
  organizationUserGroupId: string;
  organizationUserGroupName?: string;
}

const groups = "v2/organizations/usergroups/get";

function Groups({ organizationId }: { organizationId: string }) {
  const list = useList<Group>(groups, "organizationUserGroups", { organizationId });
  return (
    <Part title="Groups">
      <p class="quiet">A notification can name a group: each member gets it. Open a group to see its members.</p>
      <Rows label="Groups" list={list} empty={<Empty title="No groups yet." />}>
        {(group) => <GroupRow key={group.organizationUserGroupId} group={group} organizationId={organizationId} />}
      </Rows>
    </Part>
  );
}

function GroupRow({ group, organizationId }: { group: Group; organizationId: string }) {
  const [isOpen, setOpen] = useState(false);
  const { organizationUserGroupId: id, organizationUserGroupName: name } = group;
  return (
    <li>
      <details class="grow" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {name || id} <code class="quiet">{id}</code>
        </summary>
        {isOpen && <Members groupId={id} organizationId={organizationId} />}
      </details>
    </li>
  );
}

function Members({ groupId, organizationId }: { groupId: string; organizationId: string }) {
  const data = { organizationId, organizationUserGroupId: groupId };
  const list = useList<User>(groups, "members", { ...data, withMembers: true });
  const remove = (userId: string) => (keyOf: KeyOf) =>
    change("v1/organizations/usergroups/users/delete", { ...data, userIds: [userId] }, keyOf);
  return (
    <Rows label="Members" list={list} empty={<p class="quiet">The group has no members.</p>}>
      {(user) => (
        <li key={user.userId}>
          <span class="grow">
            <Person person={user} organizationId={organizationId} />
          </span>
          <Action
            scope="write"
            run={remove(user.userId)}
            done="Removed from the group."
            label={`Remove ${user.name || user.userId}`}
          >
            Remove
          </Action>
        </li>
      )}
    </Rows>
  );
}
