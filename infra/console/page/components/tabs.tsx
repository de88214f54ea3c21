/** Links to the views of one page. The address names the view, so it can be sent and opened again. */
export function Tabs({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: readonly (readonly [string, string])[];
  current: string;
}) {
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
