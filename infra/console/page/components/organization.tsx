// Most data belongs to one organization. The address names it; without one, the first organization is shown.
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { seldomMs, useCall, useList } from "../live.ts";
import { address } from "../places.ts";
import type { Organization } from "../types.ts";
import { Filter } from "./fields.tsx";
import { Empty, Loaded } from "./list.tsx";
import { Head } from "./page.tsx";

const path = "v2/organizations/get";

export function useOrganizationName(organizationId: string): string {
  const data = { organizationIds: [organizationId] };
  const live = useCall<{ organizations: Organization[] }>(path, data, seldomMs);
  return live.data?.organizations[0]?.organizationName || organizationId;
}

interface Props {
  title: string;
  /** Of the page. */
  path: string;
  children: (organizationId: string) => ComponentChildren;
}

/** A page of an organization, which the reader can choose. */
export function OfOrganization({ title, path: page, children }: Props) {
  const { query, route } = useLocation();
  const { items, failure, reload } = useList<Organization>(path, "organizations", { pageSize: 100 }, seldomMs);
  const current = query.org || items?.[0]?.organizationId;
  const options = (items ?? []).map((each) => [each.organizationId, each.organizationName ?? ""] as const);
  return (
    <>
      <Head title={title}>
        <Filter
          label="Organization"
          value={current ?? ""}
          onValue={(org) => route(address(page, { org }))}
          options={options}
        />
      </Head>
      {current ? (
        children(current)
      ) : (
        <Loaded live={{ data: items, failure, reload }}>
          {() => (
            <Empty title="No organizations yet.">
              Users, groups and the activity log belong to an organization. The <a href="/docs">reference</a> says how
              to add one.
            </Empty>
          )}
        </Loaded>
      )}
    </>
  );
}
