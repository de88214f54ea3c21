// The keyboard: Ctrl K finds a page, `g` and a letter open one, `?` lists the shortcuts.
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { places } from "../places.ts";
import { store, useStore } from "../store.ts";
import { nextTheme } from "../theme.ts";
import { Dialog } from "./dialog.tsx";

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
        openPalette();
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
  if (which === "palette") return <Palette go={route} />;
  return which === "shortcuts" ? <Shortcuts /> : null;
}

const commands = [
  ...places.map(({ path, title, about }) => ({ title, about, path })),
  { title: "API reference", about: "all endpoints with their fields", path: "/docs" },
  { title: "Change the theme", about: "system, light, dark", path: undefined },
];

function Palette({ go }: { go: (path: string) => void }) {
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const wanted = words.trim().toLowerCase();
  const found = commands.filter(({ title, about }) => `${title} ${about}`.toLowerCase().includes(wanted));
  const choose = (index: number) => {
    const command = found[index];
    if (!command) return;
    close();
    if (command.path === undefined) nextTheme();
    else if (command.path === "/docs") location.assign("/docs");
    else go(command.path);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setAt((at + step + found.length) % Math.max(found.length, 1));
    }
    if (event.key === "Enter") {
      event.preventDefault();
      choose(at);
    }
  };
  return (
    <Dialog title="Go to" onClose={close} class="palette">
      <input
        type="text"
        role="combobox"
        aria-label="Go to"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={found[at] ? `command-${at}` : undefined}
        placeholder="Go to"
        value={words}
        autocomplete="off"
        onInput={(event) => {
          setWords(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <div id="commands" role="listbox" aria-label="Pages" tabIndex={-1}>
        {found.map(({ title, about }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard
          <div
            key={title}
            id={`command-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => choose(index)}
          >
            <span>{title}</span> <small class="quiet">{about}</small>
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="quiet">Nothing has this name.</p>}
    </Dialog>
  );
}

function Shortcuts() {
  return (
    <Dialog title="Keyboard shortcuts" onClose={close}>
      <h2>Keyboard shortcuts</h2>
      <dl class="keys">
        <Keys keys={["Ctrl", "K"]} text="Find a page" />
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
