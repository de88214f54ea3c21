import { useState } from "preact/hooks";
import { operation } from "../api.ts";
import { Field } from "../components/fields.tsx";
import { Empty, Loaded } from "../components/states.tsx";
import { Tag } from "../components/status.tsx";
import { useLive } from "../live.ts";
import { useSession } from "../session.ts";

interface Setting {
  name: string;
  value?: unknown;
  default: unknown;
  meaning: string;
  isOnlyOnAws?: boolean;
}

/** What the deployment was synthesized with. It changes with a deployment only. */
export function DeploymentSettings() {
  const session = useSession();
  const has = session?.operations.settings ?? false;
  const [words, setWords] = useState("");
  const live = useLive(has ? "deployment settings" : undefined, (signal) =>
    operation<{ settings: Setting[] }>("settings", signal),
  );
  if (!has)
    return (
      <Empty title="This console does not know the deployment's settings.">
        <p>
          Start it with <code>--stack NAME</code> to see them.
        </p>
      </Empty>
    );
  const wanted = words.trim().toLowerCase();
  return (
    <div class="stack">
      {session?.mode === "local" ? (
        <p class="quiet">
          These are settings of a deployment on AWS. This local server takes the few that it has from the environment of{" "}
          <code>npm start</code>, such as <code>WORKSPACE_CALLS_PER_SECOND</code>. The others have no effect here.
        </p>
      ) : (
        <p class="quiet">
          These are CDK context: edit <code>cdk.json</code>, then synthesize and deploy.
        </p>
      )}
      <Field label="Find a setting" type="search" value={words} onValue={setWords} placeholder="For example: days" />
      <Loaded live={live}>
        {({ settings }) => (
          <ul class="rows" aria-label="Settings of the deployment">
            {settings
              .filter(({ name, meaning }) => `${name} ${meaning}`.toLowerCase().includes(wanted))
              .map((setting) => (
                <SettingRow key={setting.name} setting={setting} />
              ))}
          </ul>
        )}
      </Loaded>
    </div>
  );
}

function SettingRow({ setting: { name, value, default: usual, meaning, isOnlyOnAws } }: { setting: Setting }) {
  const isSet = value !== undefined && value !== null && value !== "";
  return (
    <li>
      <span class="grow">
        <code class="title">{name}</code> {isOnlyOnAws && <Tag>only on AWS</Tag>}
        <span class="quiet block">{withoutMarks(meaning)}</span>
      </span>
      <span>
        {isSet ? (
          <code>{textOf(value)}</code>
        ) : (
          <span class="quiet">{usual === "" ? "not set" : `default: ${withoutMarks(textOf(usual))}`}</span>
        )}
      </span>
    </li>
  );
}

const textOf = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? "none"));

/** The meaning is Markdown. The page shows its words. */
const withoutMarks = (text: string) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "");
