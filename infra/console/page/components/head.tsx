import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface HeadProps {
  title: string;
  /** The way to this page: address and text of each step. */
  trail?: readonly (readonly [string, string])[];
  children?: ComponentChildren;
}

/** Whether a page has been shown before: the first one leaves the focus where the browser has it. */
let isLater = false;

/** The heading of a page. It also names the browser's tab, and gets the focus, so that a screen reader reads it. */
export function Head({ title, trail = [], children }: HeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
  useEffect(() => {
    if (isLater) heading.current?.focus({ preventScroll: true });
    isLater = true;
  }, []);
  return (
    <header class="head">
      {trail.length > 0 && (
        <nav aria-label="Path" class="trail">
          {trail.map(([href, text], step) => (
            <span key={href}>
              {step > 0 && <span aria-hidden="true"> / </span>}
              <a href={href}>{text}</a>
            </span>
          ))}
        </nav>
      )}
      <div class="row spread">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <div class="row">{children}</div>
      </div>
    </header>
  );
}

/** A part of a page. */
export function Part({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="part" aria-label={title}>
      <div class="row spread">
        <h2>{title}</h2>
        {aside && <div class="row">{aside}</div>}
      </div>
      {children}
    </section>
  );
}
