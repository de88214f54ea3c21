import type { ComponentChildren } from "preact";

export type Tone = "good" | "bad" | "warn" | "busy" | "plain";

/** A state with a dot. The word carries the meaning, the colour only helps. */
export function Status({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return (
    <span class={`status ${tone}`}>
      <span class="dot" aria-hidden="true" />
      {children}
    </span>
  );
}

export function Tag({ children }: { children: ComponentChildren }) {
  return <span class="tag">{children}</span>;
}
