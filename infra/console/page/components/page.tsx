// The parts of which all pages are made, and small pieces of text.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isoText, type Moment, timeText } from "../format.ts";
import { userAddress } from "../places.ts";
import { type Scope, useRefusal } from "../session.ts";
import { shownText } from "../shown-text.ts";
import type { PersonShown, Tone } from "../types.ts";

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
    document.title = shownText(`${title} · Console`);
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

interface PartProps {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}

export function Part({ title, aside, children }: PartProps) {
  return (
    <section class="part" aria-label={title}>
      <div class="row spread">
        <h2>{title}</h2>
        <div class="row">{aside}</div>
      </div>
      {children}
    </section>
  );
}

interface TabsProps {
  label: string;
  /** Address and text of each. */
  tabs: readonly (readonly [string, string])[];
  current: string;
}

/** Links to the views of one page. The address names the view, so it can be sent and opened again. */
export function Tabs({ label, tabs, current }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([href, text]) => (
        <a key={text} href={href} aria-current={text === current ? "page" : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

/** Names and values. A value that is undefined is left out with its name. */
export function Facts({ of }: { of: Record<string, ComponentChildren> }) {
  return (
    <dl class="facts">
      {Object.entries(of).map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** Content whose calls need a scope. Without it, nothing is called, and the reader learns why. */
export function Needs({ scope, children }: { scope: Scope; children: ComponentChildren }) {
  const refusal = useRefusal(scope);
  if (!refusal) return <>{children}</>;
  return (
    <p class="notice">
      <strong>Not shown in this window.</strong> {refusal}
    </p>
  );
}

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
