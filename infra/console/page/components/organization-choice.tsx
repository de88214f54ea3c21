// Most data belongs to one organization. The address names it; without one, the first organization is shown.
import { useLocation } from "preact-iso";
import { load } from "../api.ts";
import { seldomMs, useLive } from "../live.ts";
import { allPages } from "../paging.ts";
import { address } from "../places.ts";
import type { Organization } from "../types.ts";
import { Curl } from "./curl.tsx";
import { Choice } from "./fields.tsx";
import { Empty, Loaded } from "./states.tsx";

const listedMax = 500;

export function useOrganizations() {
  return useLive(
    "all organizations",
    (signal) =>
      allPages(async (pageToken) => {
        type Reply = { organizations: Organization[]; nextPageToken: string | null };
        const reply = await load<Reply>("v2/organizations/get", { pageToken }, signal);
        return { items: reply.organizations, nextPageToken: reply.nextPageToken };
      }, listedMax),
    seldomMs,
  );
}

/** The organization of the address, or the first one. Undefined: there is none, or none is known yet. */
export function useOrganizationId(): string | undefined {
  const { query } = useLocation();
  const first = useOrganizations().data?.[0]?.organizationId;
  return query.org || first;
}

export function OrganizationChoice({ path }: { path: string }) {
  const { route } = useLocation();
  const { data } = useOrganizations();
  const current = useOrganizationId();
  if (!data?.length || current === undefined) return null;
  const options = data.map(({ organizationId, organizationName }) => {
    return [organizationId, organizationName || organizationId] as const;
  });
  // A long list ends before the organization that the address names.
  const isListed = data.some(({ organizationId }) => organizationId === current);
  return (
    <Choice
      label="Organization"
      isLabelHidden
      value={current}
      onValue={(org) => route(address(path, { org }))}
      options={isListed ? options : [[current, current], ...options]}
    />
  );
}

/** Stands where an organization is needed and none is known: none yet, or none at all. */
export function NoOrganization() {
  const live = useOrganizations();
  const organizations = [{ organizationId: "acme", organizationName: "Acme" }];
  return (
    <Loaded live={live}>
      {(found) =>
        found.length === 0 && (
          <Empty title="No organizations yet.">
            <p>Users, groups and the activity log belong to an organization. Add the first:</p>
            <Curl path="v2/organizations/add" data={{ organizations }} />
          </Empty>
        )
      }
    </Loaded>
  );
}
