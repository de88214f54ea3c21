import { useEffect, useRef } from "preact/hooks";
import { change, load } from "../api.ts";
import { useChange } from "../components/action.tsx";
import { Failure } from "../components/failure.tsx";
import { Part } from "../components/head.tsx";
import { Loaded } from "../components/states.tsx";
import { useDraft } from "../draft.ts";
import { useLive } from "../live.ts";
import { useRefusal, useSession } from "../session.ts";
import type { SettingGroup } from "./setting-groups.ts";
import { SettingInput } from "./setting-input.tsx";
import { isStored, merged, objectWith, problemOf, valueAt } from "./setting-values.ts";

/** One group of settings. Only what was changed is sent, so a secret that is not typed again stays. */
export function SettingsForm({ group }: { group: SettingGroup }) {
  const live = useLive(["settings", group.title], (signal) => load<object>(group.get, {}, signal), 10_000);
  const isLocal = useSession()?.mode === "local";
  return (
    <Part title={group.title}>
      <p class="quiet">
        {group.about} {isLocal && group.locally}
      </p>
      <Loaded live={live}>{(stored) => <Form group={group} stored={stored} />}</Loaded>
    </Part>
  );
}

function Form({ group, stored }: { group: SettingGroup; stored: object }) {
  const { draft: changed, setDraft: setChanged, sent } = useDraft<Record<string, unknown>>({});
  const saving = useChange();
  const refusal = useRefusal("admin");
  const paths = Object.keys(changed);
  const isWrong = group.fields.some((field) => problemOf(field, changed[field.path]) !== undefined);
  // The form can be longer than the window, and its failure stands at the end.
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (saving.failure) end.current?.scrollIntoView({ block: "nearest" });
  }, [saving.failure]);
  const save = async (event?: Event) => {
    event?.preventDefault();
    if (refusal || saving.isBusy || isWrong || paths.length === 0) return;
    const data = paths.map((path) => objectWith(path, changed[path])).reduce(merged, {});
    if (await saving.run((attempt) => change(group.update, data, attempt), `${group.title}: saved.`)) sent(changed);
  };
  const set = (path: string, value: unknown) => {
    const isBack = isStored(value, valueAt(stored, path));
    setChanged(({ [path]: _, ...others }) => (isBack ? others : { ...others, [path]: value }));
  };
  return (
    <form class="card settings" onSubmit={(event) => void save(event)}>
      {group.fields.map((field) => (
        <SettingInput
          key={field.path}
          field={field}
          stored={valueAt(stored, field.path)}
          changed={changed[field.path]}
          isReadOnly={refusal !== undefined}
          onValue={(value) => set(field.path, value)}
        />
      ))}
      {paths.length > 0 && (
        <div class="row">
          <button type="submit" class="main" disabled={saving.isBusy || isWrong}>
            Save
          </button>
          <button
            type="button"
            onClick={() => {
              setChanged({});
              saving.forget();
            }}
          >
            Discard
          </button>
        </div>
      )}
      <div ref={end}>{saving.failure && <Failure failure={saving.failure} retry={() => void save()} />}</div>
    </form>
  );
}
