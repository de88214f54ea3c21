// Fields of forms and filters.
import { useId } from "preact/hooks";

interface FieldProps {
  label: string;
  /** As the form's data has it. */
  name: string;
  type?: "text" | "search" | "url" | "date";
  placeholder?: string;
  required?: boolean;
}

export function Field({ label, type = "text", ...more }: FieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input type={type as "text"} autocomplete="off" {...more} />
    </label>
  );
}

interface ChosenProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** Value and its text. */
  options: readonly (readonly [string, string])[];
}

export function Choice({ label, value, onValue, options }: ChosenProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A text that applies when it is complete. The browser offers some ids, with their names. */
export function Filter({ label, value, onValue, options }: ChosenProps) {
  const listId = useId();
  return (
    <>
      <label class="field">
        <span>{label}</span>
        <input
          key={value}
          type="search"
          autocomplete="off"
          list={listId}
          defaultValue={value}
          onChange={(event) => onValue(event.currentTarget.value.trim())}
        />
      </label>
      <datalist id={listId}>
        {options.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}
