import { useLocation } from "preact-iso";
import type { ShownSetting } from "../../server/operations.ts";
import { change, type KeyOf, operation } from "../api.ts";
import { Action, Form } from "../components/action.tsx";
import { Field } from "../components/fields.tsx";
import { Empty, Loaded, Rows } from "../components/list.tsx";
import { Head, Needs, Part, Tabs, Tag } from "../components/page.tsx";
import { useList, useLive } from "../live.ts";
import { address } from "../places.ts";
import { useSession } from "../session.ts";
import { SettingsForm } from "./settings-form.tsx";

const path = "/console/settings";
const views = [
  [path, "Workspace"],
  [address(path, { view: "deployment" }), "Deployment"],
] as const;

/** Title, and the endpoints' name. */
const groups = [
  ["Webhooks", "advancedwebhookconfig"],
  ["E-mail", "emailconfig"],
  ["Slack", "slackconfig"],
  ["Activity log", "activityconfig"],
  ["Permission provider", "permissionproviderconfig"],
  ["AI models", "aimodelconfig"],
] as const;

/** What the workspace and the deployment are set to, and what each setting does. */
export function Settings() {
  const isDeployment = useLocation().query.view === "deployment";
  return (
    <>
      <Head title="Settings" />
      <Tabs label="Settings" tabs={views} current={isDeployment ? "Deployment" : "Workspace"} />
      {isDeployment ? (
        <DeploymentSettings />
      ) : (
        <Needs scope="admin">
          {groups.map(([title, name]) => (
            <SettingsForm key={name} title={title} path={`v2/workspace/${name}`} />
          ))}
          <Domains />
        </Needs>
      )}
    </>
  );
}

/** The hosts to which messages may link. */
function Domains() {
  const path = "v2/workspace/domains";
  const list = useList<string>(`${path}/get`, "domains", {});
  const add = (fields: FormData, keyOf: KeyOf) =>
    change(`${path}/add`, { domains: [String(fields.get("domain")).trim()] }, keyOf);
  const remove = (domain: string) => (keyOf: KeyOf) => change(`${path}/delete`, { domains: [domain] }, keyOf);
  return (
    <Part title="Domains">
      <p class="quiet">A message links to a document only if the host of its address is one of these.</p>
      <Rows label="Domains" list={list} empty={<Empty title="No domains yet: messages have no links." />}>
        {(domain) => (
          <li key={domain}>
            <span class="grow">{domain}</span>
            <Action scope="admin" label={`Remove ${domain}`} run={remove(domain)} done="Domain removed.">
              Remove
            </Action>
          </li>
        )}
      </Rows>
      <Form scope="admin" run={add} done="Domain added." submit="Add">
        <Field label="Another domain" name="domain" placeholder="app.example.com" required />
      </Form>
    </Part>
  );
}

/** What the deployment was synthesized with. It changes with a deployment only. */
function DeploymentSettings() {
  const has = useSession()?.operations.settings ?? false;
  const live = useLive(has ? "deployment settings" : undefined, (signal) =>
    operation<{ settings: ShownSetting[] }>("settings", signal),
  );
  if (!has)
    return (
      <Empty title="This console does not know the deployment's settings.">
        Start it with <code>--stack NAME</code> to see them.
      </Empty>
    );
  return (
    <Part title="Settings of the deployment">
      <p class="quiet">
        A deployment has them from <code>cdk.json</code>. The server of <code>npm start</code> takes a few from its
        environment, such as <code>WORKSPACE_CALLS_PER_SECOND</code>.
      </p>
      <Loaded live={live}>
        {({ settings }) => (
          <ul class="rows" aria-label="Settings of the deployment">
            {settings.map(({ name, value, default: usual, meaning, isOnlyOnAws }) => (
              <li key={name}>
                <span class="grow">
                  <code>{name}</code> {isOnlyOnAws && <Tag>only on AWS</Tag>}
                  <span class="quiet block">{meaning.replaceAll("`", "")}</span>
                </span>
                {value === undefined && !isOnlyOnAws ? (
                  <span class="quiet">not known</span>
                ) : (
                  <code>{JSON.stringify(value ?? usual)}</code>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Part>
  );
}
