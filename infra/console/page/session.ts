// What this window may do. The console's server decides; the page only explains.
import type { Scope } from "../../../lib/schema/scopes.ts";
import { fetchJson } from "./api.ts";
import { type Live, seldomMs, useLive } from "./live.ts";

export interface Session {
  mode: "local" | "url" | "stack";
  /** Base URL of the API. */
  api: string;
  version: string;
  /** Whether this window has the cookie of the printed address. */
  canChange: boolean;
  /** Of the console's auth token. */
  scopes: string[];
  /** Public ids of the tokens with which the console itself calls. Empty where nobody may revoke them. */
  ownTokenIds: string[];
  operations: { jobs: boolean; settings: boolean; mails: boolean };
}

/** A server that was started again does not know this window any more, so it is asked again. */
export const useSessionLive = (): Live<Session> =>
  useLive("session", (signal) => fetchJson<Session>("/console/session", { signal }), seldomMs);

export const useSession = (): Session | undefined => useSessionLive().data;

/** Where the server of the console prints addresses, tokens and secrets. */
export const useTerminal = (): string =>
  `the terminal of ${useSession()?.mode === "local" ? "npm start" : "npm run console"}`;

/** How a window that only reads can be replaced. */
export function useWayToChange(): string {
  const again = useSession()?.mode === "local" ? ": Enter prints a new one" : "";
  return `To change something, open the last address of the console in ${useTerminal()}${again}.`;
}

export type { Scope };

/** Why an action of this scope is not possible here. Undefined: it is possible. */
export function useRefusal(scope: Scope): string | undefined {
  const session = useSession();
  const way = useWayToChange();
  if (!session || scope === "read") return undefined;
  if (!session.canChange) return `This window only reads. ${way}`;
  if (session.scopes.includes(scope)) return undefined;
  return `The console's auth token lacks the scope ${scope}. Start the console with a token that has it.`;
}
