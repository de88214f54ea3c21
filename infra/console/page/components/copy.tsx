import { useState } from "preact/hooks";
import { say } from "./toast.tsx";

const shownMs = 1_500;

export function Copy({ text, label = "Copy" }: { text: string; label?: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return say("The browser does not permit copying. Select the text instead.");
    }
    setDone(true);
    setTimeout(() => setDone(false), shownMs);
  };
  return (
    <button type="button" class="small" onClick={() => void copy()}>
      {isDone ? "Copied" : label}
    </button>
  );
}

/** Text to copy, such as a command. */
export function Code({ text }: { text: string }) {
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can then scroll it */}
      <pre tabIndex={0}>{text}</pre>
      <Copy text={text} />
    </div>
  );
}
