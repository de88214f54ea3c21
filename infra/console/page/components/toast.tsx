// A short note at the edge: that something is done, or why it is not possible.
import { store, useStore } from "../store.ts";

const shownMs = 5_000;
const note = store<{ text: string } | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;

export function say(text: string): void {
  note.set({ text });
  clearTimeout(timer);
  timer = setTimeout(() => note.set(undefined), shownMs);
}

export function Toast() {
  const now = useStore(note);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {now && <p class="toast">{now.text}</p>}
    </div>
  );
}
