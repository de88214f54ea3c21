import { useLocation } from "preact-iso";
import { Head } from "../components/head.tsx";
import { Needs } from "../components/needs.tsx";
import { Tabs } from "../components/tabs.tsx";
import { address } from "../places.ts";
import { DeploymentSettings } from "./deployment-settings.tsx";
import { Domains } from "./domains.tsx";
import { settingGroups } from "./setting-groups.ts";
import { SettingsForm } from "./settings-form.tsx";

const path = "/console/settings";
const views = [
  [path, "Workspace"],
  [address(path, { view: "deployment" }), "Deployment"],
] as const;

/** What the workspace and the deployment are set to, and what each setting does. */
export function Settings() {
  const { query } = useLocation();
  const current = query.view === "deployment" ? "Deployment" : "Workspace";
  return (
    <>
      <Head title="Settings" />
      <Tabs label="Settings" tabs={views} current={current} />
      {current === "Deployment" ? (
        <DeploymentSettings />
      ) : (
        <Needs scope="admin">
          {settingGroups.map((group) => (
            <SettingsForm key={group.title} group={group} />
          ))}
          <Domains />
        </Needs>
      )}
    </>
  );
}
