// The menu at the side; on a narrow screen it opens from a bar at the top.
import { useEffect, useState } from "preact/hooks";
import { connection } from "../live.ts";
import { places } from "../places.ts";
import { useSession } from "../session.ts";
import { useStore } from "../store.ts";
import { nextTheme, theme } from "../theme.ts";
import { openPalette, openShortcuts } from "./palette.tsx";
import { Status } from "./status.tsx";

export function Menu({ path }: { path: string }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  return (
    <header class="menu">
      <div class="bar">
        <a class="brand" href="/">
          <span class="mark" aria-hidden="true" />
          Console
        </a>
        <button type="button" class="open" aria-expanded={isOpen} aria-controls="menu" onClick={() => setOpen(!isOpen)}>
          Menu
        </button>
      </div>
      <div id="menu" class={isOpen ? "drawer shown" : "drawer"}>
        <button type="button" class="find" onClick={openPalette}>
          <span>Go to</span>
          <span class="keyboard" aria-hidden="true">
            <kbd>Ctrl</kbd> <kbd>K</kbd>
          </span>
        </button>
        <nav aria-label="Pages">
          {places.map((place) => (
            <a key={place.path} href={place.path} aria-current={path === place.path ? "page" : undefined}>
              {place.title}
            </a>
          ))}
        </nav>
        <Foot path={path} />
      </div>
    </header>
  );
}

function Foot({ path }: { path: string }) {
  const session = useSession();
  const state = useStore(connection);
  const shown = useStore(theme);
  return (
    <div class="foot">
      {session && (
        <p class="quiet" title={session.api}>
          {state === "live" ? <Status tone="good">Live</Status> : <Status tone="bad">No connection</Status>}
          <span class="clip">
            {session.mode === "local" ? "on this machine" : session.api.replace(/^https?:\/\//, "")}
          </span>
        </p>
      )}
      <a href="/docs" aria-current={path === "/docs" ? "page" : undefined}>
        API reference
      </a>
      <button type="button" class="bare keyboard" onClick={openShortcuts}>
        Shortcuts
      </button>
      <button type="button" class="bare" onClick={nextTheme}>
        Theme: {shown}
      </button>
      {session && <p class="quiet small">Version {session.version}</p>}
    </div>
  );
}
