// Small pieces of text.
import type { ComponentChildren } from "preact";
import { isoText, type Moment, timeText } from "../format.ts";
import { userAddress } from "../places.ts";
import type { PersonShown, Tone } from "../types.ts";

/** A state with a dot. The word carries the meaning, the colour only helps. */
export function Status({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return (
    <span class={`status ${tone}`}>
      <span class="dot" aria-hidden="true" />
      {children}
    </span>
  );
}

export const Tag = ({ children }: { children: ComponentChildren }) => <span class="tag">{children}</span>;

/** In the reader's time zone; the title has it exactly. */
export const Time = ({ at }: { at: Moment }) => (
  <time class="quiet" title={isoText(at)}>
    {timeText(at)}
  </time>
);

/** A value as indented JSON; a string as it is. The keyboard can scroll it. */
export function Json({ value, label }: { value: unknown; label: string }) {
  return (
    <section aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can then scroll it */}
      <pre class="json" tabIndex={0}>
        {typeof value === "string" ? value : JSON.stringify(value, undefined, 2)}
      </pre>
    </section>
  );
}

/** A person with a link to all about them in the organization. */
export function Person({ person, organizationId }: { person: PersonShown; organizationId: string }) {
  const { userId, name } = person;
  return (
    <a href={userAddress(organizationId, userId)} title={userId}>
      {name || userId}
    </a>
  );
}

const schemes = ["http:", "https:", "mailto:"];

/** A link that a user wrote. Another scheme, such as `javascript:`, stays text. */
export function SafeLink({ href }: { href: string }) {
  const url = URL.parse(href);
  if (!url || !schemes.includes(url.protocol)) return <>{href}</>;
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer">
      {href}
    </a>
  );
}

/** How often something was sent, and when it is sent again. */
export function Attempts({ attempts, nextAttemptAt }: { attempts: number; nextAttemptAt: string | null }) {
  return (
    <>
      {attempts > 1 && <span class="quiet">{attempts} attempts</span>}
      {nextAttemptAt && (
        <span class="quiet">
          next attempt <Time at={nextAttemptAt} />
        </span>
      )}
    </>
  );
}
