import { useState } from "preact/hooks";
import { places } from "../places.ts";
import { nextTheme } from "../theme.ts";
import { type Command, keyOf, matching, placeOf } from "./commands.ts";
import { Dialog } from "./dialog.tsx";
import { useFinds } from "./finds.ts";

const commands: readonly Command[] = [
  ...places.map(({ path, title, about }) => ({ title, about, path })),
  { title: "API reference", about: "all endpoints with their fields", path: "/docs" },
  { title: "Change the theme", about: "system, light, dark", path: undefined },
];

/** Finds a page, or what the chosen organization has. Without a text, it lists the pages. */
export function Finder({ go, close }: { go: (path: string) => void; close: () => void }) {
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState<string>();
  const finds = useFinds();
  const isAny = words.trim() !== "";
  const found = matching(isAny ? [...commands, ...finds.commands] : commands, words);
  const at = placeOf(found, chosen);
  const choose = (command: Command | undefined) => {
    if (!command) return;
    close();
    if (command.path === undefined) nextTheme();
    else go(command.path);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const next = (at + step + found.length) % Math.max(found.length, 1);
      setChosen(found[next] && keyOf(found[next]));
      document.getElementById(`command-${next}`)?.scrollIntoView({ block: "nearest" });
    }
    if (event.key === "Enter") {
      event.preventDefault();
      choose(found[at]);
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
        placeholder="A page, document, person, webhook endpoint…"
        value={words}
        autocomplete="off"
        onInput={(event) => {
          setWords(event.currentTarget.value);
          setChosen(undefined);
        }}
        onKeyDown={onKey}
      />
      <div id="commands" role="listbox" aria-label="Results" tabIndex={-1}>
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard
          <div
            key={keyOf(command)}
            id={`command-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => choose(command)}
          >
            <span>{command.title}</span> <small class="quiet">{command.about}</small>
          </div>
        ))}
      </div>
      <div role="status">
        {found.length === 0 && !finds.isLoading && !finds.gap && <p class="quiet">Nothing has this name.</p>}
        {isAny && finds.isLoading && <p class="quiet">Looking for documents and people</p>}
        {isAny && finds.gap && <p class="quiet">{finds.gap}</p>}
      </div>
    </Dialog>
  );
}
