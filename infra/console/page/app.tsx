// The frame around all pages, and which page an address shows.
import type { FunctionComponent } from "preact";
import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import { LocationProvider, useLocation } from "preact-iso";
import { Toast } from "./components/action.tsx";
import { Empty, Loaded } from "./components/list.tsx";
import { Head } from "./components/page.tsx";
import { ActivityLog } from "./pages/activity.tsx";
import { Documents } from "./pages/documents.tsx";
import { Jobs } from "./pages/jobs.tsx";
import { Memory } from "./pages/memory.tsx";
import { Messages } from "./pages/messages.tsx";
import { Overview } from "./pages/overview.tsx";
import { People } from "./pages/people.tsx";
import { Reference } from "./pages/reference.tsx";
import { Settings } from "./pages/settings.tsx";
import { Tokens } from "./pages/tokens.tsx";
import { Webhooks } from "./pages/webhooks.tsx";
import { places } from "./places.ts";
import { useSession, useSessionLive, useWayToChange } from "./session.ts";

const pages: Record<string, FunctionComponent> = {
  "/": Overview,
  "/console/documents": Documents,
  "/console/people": People,
  "/console/webhooks": Webhooks,
  "/console/tokens": Tokens,
  "/console/settings": Settings,
  "/console/messages": Messages,
  "/console/memory": Memory,
  "/console/jobs": Jobs,
  "/console/activity": ActivityLog,
  "/docs": Reference,
};

export function App() {
  return (
    <LocationProvider scope={/^\/(?:$|\?|console\/(?!assets|mail)|docs(?:$|\?))/}>
      <Frame />
    </LocationProvider>
  );
}

function Frame() {
  const { path } = useLocation();
  const session = useSessionLive();
  const way = useWayToChange();
  useEffect(() => scrollTo(0, 0), [path]);
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Menu path={path} />
      <main id="main" tabIndex={-1}>
        {session.data?.canChange === false && (
          <p class="notice">
            <strong>Read only.</strong> {way}
          </p>
        )}
        <Loaded live={session}>{() => <Page key={path} path={path} />}</Loaded>
      </main>
      <Toast />
    </div>
  );
}

/** The page of an address. An error while rendering it leaves the menu. */
function Page({ path }: { path: string }) {
  const [error] = useErrorBoundary();
  const Shown = pages[path];
  if (error)
    return (
      <>
        <Head title="This page cannot be shown" />
        <div class="notice bad" role="alert">
          <p>The console has a fault, or the API replied something unexpected. Your data is not changed by this.</p>
          <p>
            <code>{String(error)}</code>
          </p>
          <button type="button" onClick={() => location.reload()}>
            Reload
          </button>
        </div>
      </>
    );
  if (Shown) return <Shown />;
  return (
    <Empty title="There is no such page.">
      Go to the <a href="/">overview</a>, or choose a page in the menu.
    </Empty>
  );
}

/** At the side; on a narrow screen it opens from a bar at the top. */
function Menu({ path }: { path: string }) {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  return (
    <header class="menu">
      <div class="bar">
        <a class="brand" href="/">
          Console
        </a>
        <button type="button" class="open" aria-expanded={isOpen} aria-controls="menu" onClick={() => setOpen(!isOpen)}>
          Menu
        </button>
      </div>
      <div id="menu" class={isOpen ? "drawer shown" : "drawer"}>
        <nav aria-label="Pages">
          {places.map(([href, title]) => (
            <a key={href} href={href} aria-current={path === href ? "page" : undefined}>
              {title}
            </a>
          ))}
          <a href="/docs" aria-current={path === "/docs" ? "page" : undefined}>
            API reference
          </a>
        </nav>
        {session && (
          <p class="foot quiet" title={session.api}>
            {session.mode === "local" ? "On this machine" : URL.parse(session.api)?.host}, version {session.version}
          </p>
        )}
      </div>
    </header>
  );
}
