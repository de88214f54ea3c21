import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

interface HeadProps {
  title: string;
  /** The way to this page: address and text of each step. */
  trail?: readonly (readonly [string, string])[];
  children?: ComponentChildren;
}

/** The heading of a page. It also names the browser's tab. */
export function Head({ title, trail = [], children }: HeadProps) {
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
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
        <h1 tabIndex={-1}>{title}</h1>
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
