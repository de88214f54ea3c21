import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";

interface FieldProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
  hint?: ComponentChildren;
  type?: "text" | "search" | "email" | "url" | "password" | "number" | "datetime-local";
  placeholder?: string;
  isRequired?: boolean;
  /** The least number. */
  min?: number;
  /** Values that the browser offers. Any other can be typed too. */
  options?: readonly string[];
  /** When the reader has left the field, or has pressed Enter. */
  onEnd?: () => void;
}

export function Field({ label, value, onValue, type = "text", ...more }: FieldProps) {
  const { hint, placeholder, isRequired, min, options, onEnd } = more;
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  // A browser also sends these events while the field is removed, for example because the reader goes back.
  const end = () => input.current && onEnd?.();
  return (
    <label class="field">
      <span>{label}</span>
      <input
        ref={input}
        // The types have a shape of their own for each type of input.
        type={type as "text"}
        value={value}
        placeholder={placeholder}
        required={isRequired}
        min={min}
        autocomplete="off"
        list={options && listId}
        onInput={(event) => onValue(event.currentTarget.value)}
        onChange={end}
        // A text that is again what it was is no change.
        onBlur={end}
      />
      {options && (
        <datalist id={listId}>
          {options.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      {hint && <small class="quiet">{hint}</small>}
    </label>
  );
}

export function LongField({
  label,
  value,
  onValue,
  placeholder,
}: Pick<FieldProps, "label" | "value" | "onValue" | "placeholder">) {
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
