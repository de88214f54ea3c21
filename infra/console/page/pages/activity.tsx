import { useLocation } from "preact-iso";
import { change, load } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Head, Part } from "../components/head.tsx";
import { List } from "../components/list.tsx";
import { NoOrganization, OrganizationChoice, useOrganizationId } from "../components/organization-choice.tsx";
import { useLive } from "../live.ts";
import { usePaged } from "../paged.ts";
import { address } from "../places.ts";
import { useRefusal } from "../session.ts";
import type { Try } from "../try.ts";
import { useUsers } from "../users.ts";
import { ActivityFilters, type Filters, NoActivity, useResolved } from "./activity-filters.tsx";
import { type Activity, ActivityRow } from "./activity-row.tsx";
import { Verification } from "./verification.tsx";

const path = "/console/activity";

/** The log of an organization, and its verification. */
export function ActivityLog() {
  const organizationId = useOrganizationId();
  return (
    <>
      <Head title="Activity">
        <OrganizationChoice path={path} />
      </Head>
      {organizationId === undefined ? (
        <NoOrganization />
      ) : (
        <>
          <Switch />
          <Verification key={organizationId} organizationId={organizationId} />
          <Log organizationId={organizationId} />
        </>
      )}
    </>
  );
}

/** Says so if the log is off: an empty list would not. */
function Switch() {
  const isRefused = useRefusal("admin") !== undefined;
  const { data } = useLive(isRefused ? undefined : "activity config", (signal) =>
    load<{ activityServiceConfig: { isEnabled: boolean } }>("v2/workspace/activityconfig/get", {}, signal),
  );
  if (data?.activityServiceConfig.isEnabled !== false) return null;
  const turnOn = (attempt: Try) =>
    change("v2/workspace/activityconfig/update", { activityServiceConfig: { isEnabled: true } }, attempt);
  return (
    <div class="notice part">
      <p>
        <strong>The activity log is off.</strong> No event is recorded until it is on.
      </p>
      <p class="row">
        <Action scope="admin" tone="main" run={turnOn} done="The activity log is on.">
          Turn on
        </Action>
      </p>
    </div>
  );
}

function Log({ organizationId }: { organizationId: string }) {
  const { query, route } = useLocation();
  const { type = "", order = "newest" } = query;
  const asked: Filters = { type, user: query.user ?? "", document: query.document ?? "", order };
  const filters = useResolved(organizationId, asked);
  const { user, document: documentId } = filters;
  const key = ["activities", organizationId, type, user, documentId, order];
  const paged = usePaged<Activity>(key, async (pageToken, signal) => {
    const data = {
      organizationId,
      order,
      pageToken,
      ...(type && { eventTypes: [type] }),
      ...(user && { userIds: [user] }),
      ...(documentId && { documentIds: [documentId] }),
    };
    type Reply = { activities: Activity[]; nextPageToken: string | null };
    const reply = await load<Reply>("v2/activities/get", data, signal);
    return { items: reply.activities, nextPageToken: reply.nextPageToken };
  });
  const names = new Map(useUsers(organizationId).data?.map((user) => [user.userId, user.name]));
  const filter = (next: Partial<Filters>) => route(address(path, { org: organizationId, ...filters, ...next }), true);
  return (
    <Part title="Log">
      <ActivityFilters key={organizationId} organizationId={organizationId} filters={filters} onFilter={filter} />
      <List
        label="Activities"
        paged={paged}
        empty={<NoActivity organizationId={organizationId} filters={filters} onFilter={filter} />}
      >
        {(each) => (
          <ActivityRow key={each.activityId} activity={each} name={names.get(each.actionUser?.userId ?? "")} />
        )}
      </List>
    </Part>
  );
}
