// What a browser sees whose address does not open the console.
import { pageReply, type Reply } from "./reply.ts";
import type { SiteOptions } from "./site-options.ts";

export const printedAddress =
  "Open the address of the console that the terminal of npm run console has printed last. It works once.";

/** Each address works once. Without a valid one, the console of the local server can still be looked at. */
export function usedAddress(mode: SiteOptions["mode"]): Reply {
  const title = "This address does not open the console";
  if (mode !== "local") return pageReply(403, { title, text: `${again} ${printedAddress}` });
  const text = `${again} Press Enter in the terminal of npm start, or start it again: it prints the next one. Without it, you may only look.`;
  return pageReply(403, { title, text, link: { to: "/", text: "Open the console to look" } });
}

const again =
  "This address was used already, or it is of an earlier start. Each one opens the console in one browser, once.";
