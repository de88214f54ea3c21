import { useLocation } from "preact-iso";
import { change, type KeyOf } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Choice, Filter } from "../components/fields.tsx";
import { Empty, Rows } from "../components/list.tsx";
import { OfOrganization } from "../components/organization.tsx";
import { Json, Part, Person, Time } from "../components/page.tsx";
import { seldomMs, useCall, useList } from "../live.ts";
import { useEventTypes } from "../openapi.ts";
import { address, documentAddress } from "../places.ts";
import { useRefusal } from "../session.ts";
import type { PersonShown, ShownDocument, User } from "../types.ts";
import { messageOf } from "./activity-message.ts";

const path = "/console/activity";
const first = { pageSize: 100 };

/** The log of an organization. */
export function ActivityLog() {
  return (
    <OfOrganization title="Activity" path={path}>
      {(organizationId) => (
        <>
          <Switch />
          <Log key={organizationId} organizationId={organizationId} />
        </>
      )}
    </OfOrganization>
  );
}

/** Says so if the log is off: an empty list would not. */
function Switch() {
  const isRefused = useRefusal("admin") !== undefined;
  type Config = { activityServiceConfig: { isEnabled: boolean } };
  const { data } = useCall<Config>(isRefused ? undefined : "v2/workspace/activityconfig/get", {});
  if (data?.activityServiceConfig.isEnabled !== false) return null;
  const turnOn = (keyOf: KeyOf) =>
    change("v2/workspace/activityconfig/update", { activityServiceConfig: { isEnabled: true } }, keyOf);
  return (
    <div class="notice part">
      <p>
        <strong>The activity log is off.</strong> No event is recorded until it is on.
      </p>
      <Action scope="admin" run={turnOn} done="The activity log is on.">
        Turn on
      </Action>
    </div>
  );
}

interface Activity {
  activityId: string;
  documentId?: string;
  documentName?: string;
  actionUser?: PersonShown;
  eventType: string;
  authTokenId?: string;
  displayMessage?: string;
  changes?: Record<string, unknown>;
  metadata?: object;
  createdAt: string;
  updatedAt?: string;
}

function Log({ organizationId }: { organizationId: string }) {
  const { query, route } = useLocation();
  const { type = "", user = "", document = "", order = "newest" } = query;
  const eventTypes = useEventTypes();
  const asked = { organizationId, ...first };
  const users = useList<User>("v2/users/get", "users", asked, seldomMs).items ?? [];
  const documents = useList<ShownDocument>("v2/organizations/documents/get", "documents", asked, seldomMs).items ?? [];
  const list = useList<Activity>("v2/activities/get", "activities", {
    organizationId,
    order,
    ...(type && { eventTypes: [type] }),
    ...(user && { userIds: [user] }),
    ...(document && { documentIds: [document] }),
  });
  const userNames = new Map(users.map(({ userId, name = "" }) => [userId, name]));
  const isRefused = useRefusal("admin") !== undefined;
  type Tokens = { authTokens: { id: string; name: string }[] };
  const tokens = useCall<Tokens>(isRefused ? undefined : "v2/workspace/authtokens/get", {}, seldomMs).data?.authTokens;
  const tokenNames = new Map(tokens?.map(({ id, name }) => [id, name]));
  const documentNames = documents.map((each) => [each.documentId, each.documentName ?? ""] as const);
  const filter = (next: object) => route(address(path, { org: organizationId, type, user, document, order, ...next }));
  return (
    <Part title="Log">
      <p class="quiet">
        Each record has the hash of the record before it. <code>npm run admin -- activities verify --help</code> says
        how to verify an exported log.
      </p>
      <div class="filters">
        <Choice
          label="Event"
          value={type}
          onValue={(next) => filter({ type: next })}
          options={[["", "All events"], ...[...new Set([...eventTypes, type])].filter(Boolean).map(named)]}
        />
        <Filter label="User" value={user} onValue={(next) => filter({ user: next })} options={[...userNames]} />
        <Filter
          label="Document"
          value={document}
          onValue={(next) => filter({ document: next })}
          options={documentNames}
        />
        <Choice label="Order" value={order} onValue={(next) => filter({ order: next })} options={orders} />
      </div>
      <Rows label="Activities" list={list} empty={<None isFiltered={Boolean(type || user || document)} />}>
        {(each) => (
          <Row
            key={each.activityId}
            activity={each}
            organizationId={organizationId}
            userNames={userNames}
            tokenName={tokenNames.get(each.authTokenId ?? "")}
          />
        )}
      </Rows>
    </Part>
  );
}

const named = (type: string) => [type, type] as const;
const orders = [
  ["newest", "Newest first"],
  ["oldest", "Oldest first"],
] as const;

function None({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No activity is like this." />;
  return <Empty title="Nothing is recorded yet.">A change appears here 15 to 20 seconds after its call.</Empty>;
}

interface RowProps {
  activity: Activity;
  organizationId: string;
  userNames: Map<string, string>;
  /** Of the token with which it was done, if it is known. */
  tokenName: string | undefined;
}

function Row({ activity, organizationId, userNames, tokenName }: RowProps) {
  const { documentId, documentName, actionUser, authTokenId, eventType, createdAt, updatedAt } = activity;
  const { activityId, changes, metadata } = activity;
  const nameOf = (userId: string) => userNames.get(userId) || userId;
  return (
    <li>
      <details class="grow">
        <summary>
          {messageOf(activity, nameOf)} {updatedAt && <span class="quiet">(changed later)</span>}
        </summary>
        <Json label="Details of the activity" value={{ activityId, eventType, authTokenId, changes, metadata }} />
      </details>
      {documentId && <a href={documentAddress(organizationId, documentId)}>{documentName || documentId}</a>}
      {actionUser && (
        <Person person={{ name: nameOf(actionUser.userId), ...actionUser }} organizationId={organizationId} />
      )}
      {!actionUser && authTokenId && (
        <span class="quiet" title={authTokenId}>
          by the API, token {tokenName ?? authTokenId}
        </span>
      )}
      <Time at={createdAt} />
    </li>
  );
}
