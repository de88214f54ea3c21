// The keyboard: Ctrl K finds a page or a thing, `g` and a letter open one, `?` lists the shortcuts.
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { places } from "../places.ts";
import { store, useStore } from "../store.ts";
import { Dialog } from "./dialog.tsx";
import { Finder } from "./finder.tsx";

const open = store<"palette" | "shortcuts" | undefined>(undefined);
export const openPalette = (): void => open.set("palette");
export const openShortcuts = (): void => open.set("shortcuts");
const close = () => open.set(undefined);

const secondKeyMs = 1_500;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

export function Keyboard() {
  const { route } = useLocation();
  const which = useStore(open);
  const startedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        if (!document.querySelector("dialog")) openPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector("dialog"))
        return;
      if (event.key === "?") openShortcuts();
      const place = places.find(({ key }) => key === event.key);
      if (place && event.timeStamp - startedAt.current < secondKeyMs) route(place.path);
      if (event.key === "/") {
        const search = document.querySelector<HTMLInputElement>("main input[type=search]");
        if (search) event.preventDefault();
        search?.focus();
      }
      startedAt.current = event.key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [route]);
  if (which === "palette") return <Finder go={route} close={close} />;
  return which === "shortcuts" ? <Shortcuts /> : null;
}

function Shortcuts() {
  return (
    <Dialog title="Keyboard shortcuts" onClose={close}>
      <h2>Keyboard shortcuts</h2>
      <dl class="keys">
        <Keys keys={["Ctrl", "K"]} text="Find a page, a document or a person" />
        <Keys keys={["/"]} text="Search on this page" />
        {places.map(({ path, title, key }) => (
          <Keys key={path} keys={["g", key]} text={title} />
        ))}
        <Keys keys={["?"]} text="These shortcuts" />
        <Keys keys={["Esc"]} text="Close" />
      </dl>
      <div class="row end">
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function Keys({ keys, text }: { keys: string[]; text: string }) {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{text}</dd>
    </div>
  );
}
