// An error while rendering ends at the nearest guard, so the rest of the page stays.
import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Head } from "./head.tsx";

/** Shows the failure instead of its children, until the reader goes to another address. */
export function Guard({ children }: { children: ComponentChildren }) {
  const { url } = useLocation();
  const [failed, setFailed] = useState<{ url: string; text: string }>();
  useErrorBoundary((thrown: unknown) => setFailed({ url, text: String(thrown) }));
  useEffect(() => setFailed((last) => (last?.url === url ? last : undefined)), [url]);
  if (failed?.url !== url) return <>{children}</>;
  return (
    <>
      <Head title="This page cannot be shown" />
      <div class="notice bad" role="alert">
        <p>
          <strong>The console has a fault, or the API replied something unexpected.</strong> Your data is not changed by
          this.
        </p>
        <p>
          <code class="wrap">{failed.text}</code>
        </p>
        <p class="row">
          <button type="button" onClick={() => location.reload()}>
            Reload
          </button>
          <a href="/">Go to the overview</a>
        </p>
      </div>
    </>
  );
}
