import type { ComponentChildren } from "preact";

const schemes = ["http:", "https:", "mailto:"];

/** A link that a user wrote. Another scheme, such as `javascript:`, stays text. */
export function SafeLink({ href, children }: { href: string; children?: ComponentChildren }) {
  const url = URL.parse(href);
  if (!url || !schemes.includes(url.protocol)) return <span class="clip">{children ?? href}</span>;
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer" class="clip">
      {children ?? href}
    </a>
  );
}
