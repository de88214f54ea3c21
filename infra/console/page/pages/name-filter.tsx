import { useState } from "preact/hooks";
import { Field } from "../components/fields.tsx";
import { idOf, type Named, textsOf } from "./named-choices.ts";

interface NameFilterProps {
  label: string;
  /** An id. Empty: all. */
  value: string;
  choices: readonly Named[];
  onValue: (id: string) => void;
}

/** A filter by one of many. It applies as soon as the text is a name or an id; any other text, when it is complete. */
export function NameFilter({ label, value, choices, onValue }: NameFilterProps) {
  const [typed, setTyped] = useState<string>();
  const texts = textsOf(choices);
  const type = (text: string) => {
    setTyped(text);
    const id = text ? idOf(choices, text) : "";
    if (id !== undefined) onValue(id);
  };
  const end = () => {
    if (typed !== undefined) onValue(idOf(choices, typed) ?? typed.trim());
    setTyped(undefined);
  };
  return (
    <Field
      label={label}
      type="search"
      placeholder="Name or id"
      value={typed ?? texts.get(value) ?? value}
      onValue={type}
      onEnd={end}
      options={[...texts.values()]}
    />
  );
}
