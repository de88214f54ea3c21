import type { ComponentChildren } from "preact";
import { useRefusal } from "../session.ts";

/** Content whose calls need a scope. Without it, nothing is called, and the reader learns why. */
export function Needs({ scope, children }: { scope: "write" | "admin"; children: ComponentChildren }) {
  const refusal = useRefusal(scope);
  if (!refusal) return <>{children}</>;
  return (
    <p class="notice">
      <strong>Not shown in this window.</strong> {refusal}
    </p>
  );
}
