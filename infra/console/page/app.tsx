// The frame around all pages, and which page an address shows.
import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { LocationProvider, useLocation } from "preact-iso";
import { ApiFailure } from "./api.ts";
import { Confirm } from "./components/confirm.tsx";
import { Failure } from "./components/failure.tsx";
import { Guard } from "./components/guard.tsx";
import { Menu } from "./components/menu.tsx";
import { Keyboard } from "./components/palette.tsx";
import { Empty, Loading } from "./components/states.tsx";
import { Toast } from "./components/toast.tsx";
import { connection } from "./live.ts";
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
import { loadSession, useSession, useWayToChange } from "./session.ts";

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
      <Guard>
        <Frame />
      </Guard>
    </LocationProvider>
  );
}

function Frame() {
  const { path } = useLocation();
  const session = useSession();
  const way = useWayToChange();
  const [failure, setFailure] = useState<ApiFailure>();
  const start = () => {
    setFailure(undefined);
    loadSession().catch((thrown: unknown) => {
      setFailure(thrown instanceof ApiFailure ? thrown : new ApiFailure("FAILED", String(thrown)));
    });
  };
  useEffect(start, []);
  // A server that was started again does not know this window any more.
  useEffect(() => connection.subscribe(() => connection.get() === "live" && start()), []);
  useEffect(() => scrollTo(0, 0), [path]);
  const Page = pages[path] ?? Unknown;
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Menu path={path} />
      <main id="main" tabIndex={-1}>
        {session?.canChange === false && (
          <p class="notice">
            <strong>Read only.</strong> {way}
          </p>
        )}
        {failure && <Failure failure={failure} retry={start} />}
        {session ? (
          <Guard>
            <Page key={path} />
          </Guard>
        ) : (
          !failure && <Loading lines={5} />
        )}
      </main>
      <Keyboard />
      <Confirm />
      <Toast />
    </div>
  );
}

function Unknown() {
  return (
    <Empty title="There is no such page.">
      <p>
        Go to the <a href="/">overview</a>, or choose a page in the menu.
      </p>
    </Empty>
  );
}
