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
