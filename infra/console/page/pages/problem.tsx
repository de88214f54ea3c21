import { offIn } from "./turned-off.ts";

/** Why nothing is sent. A channel that is turned off has a link to the page that turns it on. */
export function Problem({ text }: { text: string }) {
  const off = offIn(text);
  if (off === undefined) return <>{text}</>;
  return (
    <>
      {off}. <a href="/console/settings">Turn it on under Settings</a>.
    </>
  );
}
