import { useLocation } from "preact-iso";
import { Head } from "../components/head.tsx";
import { NoOrganization, OrganizationChoice, useOrganizationId } from "../components/organization-choice.tsx";
import { Tabs } from "../components/tabs.tsx";
import { address, viewOf } from "../places.ts";
import { AccessView } from "./access.tsx";
import { Groups } from "./groups.tsx";
import { UserView } from "./user.tsx";
import { Users } from "./users.tsx";

const path = "/console/people";

/** Users, groups, and who can see what. */
export function People() {
  const { query } = useLocation();
  const organizationId = useOrganizationId();
  if (organizationId === undefined)
    return (
      <>
        <Head title="People" />
        <NoOrganization />
      </>
    );
  if (query.user && query.view !== "access")
    return <UserView key={query.user} organizationId={organizationId} userId={query.user} />;
  const tabs = [
    [address(path, { org: organizationId }), "Users"],
    [address(path, { org: organizationId, view: "groups" }), "Groups"],
    [address(path, { org: organizationId, view: "access" }), "Who can see what"],
  ] as const;
  const current = viewOf({ groups: "Groups", access: "Who can see what" }, query.view) ?? "Users";
  return (
    <>
      <Head title="People">
        <OrganizationChoice path={path} />
      </Head>
      <Tabs label="People" tabs={tabs} current={current} />
      {current === "Users" && <Users organizationId={organizationId} />}
      {current === "Groups" && <Groups organizationId={organizationId} />}
      {current === "Who can see what" && <AccessView key={organizationId} organizationId={organizationId} />}
    </>
  );
}
