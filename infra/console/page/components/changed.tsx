import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { canonicalJson } from "../canonical.ts";

/** A row that lights up for a moment when its content changes. `of` is what it shows. */
export function Changed({ of, children }: { of: unknown; children: ComponentChildren }) {
  const element = useRef<HTMLLIElement>(null);
  const before = useRef<string>(undefined);
  const text = canonicalJson(of);
  useEffect(() => {
    const isChanged = before.current !== undefined && before.current !== text;
    before.current = text;
    if (!isChanged || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    element.current?.animate([{ backgroundColor: "var(--flash)" }, {}], { duration: 1_600, easing: "ease-out" });
  }, [text]);
  return <li ref={element}>{children}</li>;
}
