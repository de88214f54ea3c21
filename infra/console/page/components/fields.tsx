import type { ComponentChildren } from "preact";

interface FieldProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
  hint?: ComponentChildren;
  type?: "text" | "search" | "email" | "url" | "password" | "number" | "datetime-local";
  placeholder?: string;
  isRequired?: boolean;
}

export function Field({ label, value, onValue, hint, type = "text", placeholder, isRequired }: FieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        // The types have a shape of their own for each type of input.
        type={type as "text"}
        value={value}
        placeholder={placeholder}
        required={isRequired}
        autocomplete="off"
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      {hint && <small class="quiet">{hint}</small>}
    </label>
  );
}

export function LongField({ label, value, onValue, placeholder }: Omit<FieldProps, "type" | "hint">) {
  return (
    <label class="field">
      <span class="hidden">{label}</span>
      <textarea
        rows={2}
        value={value}
        placeholder={placeholder ?? label}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </label>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** Value and its text. */
  options: readonly (readonly [string, string])[];
  isLabelHidden?: boolean;
}

export function Choice({ label, value, onValue, options, isLabelHidden }: ChoiceProps) {
  return (
    <label class="field">
      <span class={isLabelHidden ? "hidden" : undefined}>{label}</span>
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
