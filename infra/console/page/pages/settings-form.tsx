// A form for a group of settings of the workspace. Its fields and their meanings are those of the endpoint that updates it.
import { useId, useState } from "preact/hooks";
import { change, type KeyOf } from "../api.ts";
import { Form } from "../components/action.tsx";
import { Loaded } from "../components/list.tsx";
import { Part } from "../components/page.tsx";
import { useCall } from "../live.ts";
import { useDataSchema } from "../openapi.ts";
import type { Schema } from "./reference-document.ts";
import { changedSettings, fieldsOf, type SettingField, valueAt } from "./setting-values.ts";

const everyMs = 10_000;

/** `path`: that of the endpoints, without their last segment. */
export function SettingsForm({ title, path }: { title: string; path: string }) {
  const schema = useDataSchema(`${path}/update`);
  const stored = useCall<object>(`${path}/get`, {}, everyMs);
  return (
    <Part title={title}>
      <Loaded live={schema}>
        {(known) => (
          <Loaded live={stored}>
            {(values) => <Fields title={title} path={path} schema={known} stored={values} />}
          </Loaded>
        )}
      </Loaded>
    </Part>
  );
}

interface FieldsProps {
  title: string;
  path: string;
  schema: Schema;
  stored: object;
}

/** Only what was changed is sent, so a secret that is not typed again stays. */
function Fields({ title, path, schema, stored }: FieldsProps) {
  const [saves, setSaves] = useState(0);
  const fields = fieldsOf(schema, stored);
  const save = async (entered: FormData, keyOf: KeyOf) => {
    await change(`${path}/update`, changedSettings(fields, entered, stored), keyOf);
    setSaves(saves + 1);
  };
  return (
    <Form key={saves} scope="admin" run={save} done={`${title}: saved.`} submit="Save">
      {fields.map((field) => !field.isOfEvent && <Setting key={field.name} field={field} stored={stored} />)}
      <Events fields={fields.filter(({ isOfEvent }) => isOfEvent)} stored={stored} />
    </Form>
  );
}

interface SettingProps {
  field: SettingField;
  stored: object;
}

/** One setting with what it does. */
function Setting({ field, stored }: SettingProps) {
  const id = useId();
  return (
    <div class={field.isOfEvent ? undefined : "setting"}>
      <label htmlFor={id}>
        {field.label}
        <small class="quiet block">{field.meaning}</small>
      </label>
      <Input id={id} field={field} stored={valueAt(stored, field.name)} />
    </div>
  );
}

interface InputProps {
  id: string;
  field: SettingField;
  stored: unknown;
}

function Input({ id, field: { name, kind, options, min, max }, stored }: InputProps) {
  const own = { id, name, autocomplete: "off" };
  if (kind === "flag") return <input {...own} type="checkbox" defaultChecked={stored === true} />;
  if (options)
    return (
      <select {...own}>
        {options.map((each) => (
          <option key={each} value={each} selected={each === stored}>
            {each || "none"}
          </option>
        ))}
      </select>
    );
  if (kind === "secret") {
    const placeholder = stored ? "Set. Type to replace it." : "Not set";
    return <input {...own} type="password" autocomplete="new-password" placeholder={placeholder} />;
  }
  if (kind === "number")
    return <input {...own} type="number" required min={min} max={max} defaultValue={String(stored ?? "")} />;
  return <input {...own} defaultValue={String(stored ?? "")} />;
}

/** Which events a channel or the log wants. */
function Events({ fields, stored }: { fields: SettingField[]; stored: object }) {
  if (fields.length === 0) return null;
  const on = fields.filter(({ name }) => valueAt(stored, name) === true).length;
  return (
    <details>
      <summary>
        Events: {on} of {fields.length} are on
      </summary>
      <div class="flags">
        {fields.map((field) => (
          <Setting key={field.name} field={field} stored={stored} />
        ))}
      </div>
    </details>
  );
}
