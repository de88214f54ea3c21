import { useId } from "preact/hooks";
import { inWords } from "../format.ts";
import type { SettingField } from "./setting-groups.ts";
import { flagsOf, problemOf, withFlag } from "./setting-values.ts";

interface InputProps {
  field: SettingField;
  stored: unknown;
  /** What the reader has entered. Undefined: nothing yet. */
  changed: unknown;
  isReadOnly: boolean;
  onValue: (value: unknown) => void;
}

/** One setting with what it does. */
export function SettingInput(props: InputProps) {
  const { field, changed } = props;
  const id = useId();
  const problem = problemOf(field, changed);
  if (field.kind === "flags") return <Flags {...props} />;
  const input = <Input {...props} id={id} />;
  return (
    <div class="setting">
      <label htmlFor={id}>
        <span class="title">{field.label}</span>
        <small class="quiet block">{field.meaning}</small>
      </label>
      {input}
      {problem && (
        <small id={`${id}-problem`} class="problem" role="alert">
          {problem}
        </small>
      )}
    </div>
  );
}

function Input({ field, stored, changed, isReadOnly, onValue, id }: InputProps & { id: string }) {
  const { kind } = field;
  const value = changed ?? stored;
  const problem = problemOf(field, changed);
  if (kind === "flag")
    return (
      <input
        id={id}
        type="checkbox"
        class="switch"
        checked={value === true}
        disabled={isReadOnly}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
    );
  if (Array.isArray(kind))
    return (
      <select
        id={id}
        value={String(value ?? "")}
        disabled={isReadOnly}
        onChange={(event) => onValue(event.currentTarget.value)}
      >
        {kind.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    );
  if (kind === "secret")
    return (
      <input
        id={id}
        type="password"
        value={String(changed ?? "")}
        placeholder={stored ? "Set. Type to replace it." : "Not set"}
        autocomplete="new-password"
        disabled={isReadOnly}
        onInput={(event) => onValue(event.currentTarget.value || undefined)}
      />
    );
  return (
    <input
      id={id}
      // The types have a shape of their own for each type of input.
      type={kind === "number" ? ("number" as "text") : "text"}
      aria-invalid={problem !== undefined}
      aria-describedby={problem && `${id}-problem`}
      value={String(value ?? "")}
      autocomplete="off"
      disabled={isReadOnly}
      onInput={({ currentTarget: { value } }) => onValue(kind === "number" && value ? Number(value) : value)}
    />
  );
}

function Flags({ field, stored, changed, isReadOnly, onValue }: InputProps) {
  const value = changed ?? stored;
  const flags = flagsOf(value);
  if (flags.length === 0) return null;
  const on = flags.filter(({ isOn }) => isOn).length;
  return (
    <details>
      <summary>
        <span class="title">{field.label}</span>{" "}
        <small class="quiet">
          {field.meaning} {on} of {flags.length} are on.
        </small>
      </summary>
      <div class="flags">
        {flags.map(({ names, isOn }) => (
          <label key={names.join(" ")} class="check">
            <input
              type="checkbox"
              checked={isOn}
              disabled={isReadOnly}
              onChange={(event) => onValue(withFlag(value, names, event.currentTarget.checked))}
            />
            <span>{names.map(inWords).join(", ")}</span>
          </label>
        ))}
      </div>
    </details>
  );
}
