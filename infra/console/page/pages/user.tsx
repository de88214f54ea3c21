import { load } from "../api.ts";
import { Head, Part } from "../components/head.tsx";
import { Empty, Loaded } from "../components/states.tsx";
import { useLive } from "../live.ts";
import { useOrganizationName } from "../names.ts";
import { address } from "../places.ts";
import type { User } from "../types.ts";
import { Erasure } from "./erasure.tsx";
import { Export } from "./export.tsx";
import { Role } from "./users.tsx";

const path = "/console/people";

/** One user: role, all data about them, and their erasure. */
export function UserView({ organizationId, userId }: { organizationId: string; userId: string }) {
  const organization = useOrganizationName(organizationId);
  const live = useLive(["user", organizationId, userId], (signal) =>
    load<{ users: User[] }>("v2/users/get", { organizationId, userIds: [userId] }, signal),
  );
  const user = live.data?.users[0];
  return (
    <>
      <Head
        title={user?.name || userId}
        trail={[[address(path, { org: organizationId }), `People of ${organization}`]]}
      >
        <a href={address(path, { org: organizationId, view: "access", user: userId })}>What this user can see</a>
      </Head>
      <Part title="Profile">
        <Loaded live={live} lines={1}>
          {() =>
            user ? (
              <dl class="facts">
                <dt>Id</dt>
                <dd>
                  <code>{user.userId}</code>
                </dd>
                <dt>E-mail</dt>
                <dd>{user.email || <span class="quiet">none</span>}</dd>
                <dt>Role</dt>
                <dd class="row">
                  <Role user={user} />
                </dd>
              </dl>
            ) : (
              <Empty title="The organization has no user with this id.">
                <p>Comments or activities can still name the id. The parts below show what is kept.</p>
              </Empty>
            )
          }
        </Loaded>
      </Part>
      <Export organizationId={organizationId} userId={userId} />
      <Erasure organizationId={organizationId} userId={userId} />
    </>
  );
}
