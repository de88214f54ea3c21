// What this window may do. The console's server decides; the page only explains.
import { fetchJson } from "./api.ts";
import { store, useStore } from "./store.ts";

export interface Session {
  mode: "local" | "url" | "stack";
  /** Base URL of the API. */
  api: string;
  version: string;
  /** Whether this window has the cookie of the printed address. */
  canChange: boolean;
  /** Of the console's auth token. */
  scopes: string[];
  /** Sets the keys that commands read from the environment, in a shell of the reader. */
  keysLine: { line: string; about: string };
  /** Public ids of the tokens with which the console itself calls. Empty where nobody may revoke them. */
  ownTokenIds: string[];
  operations: {
    metrics: boolean;
    jobs: boolean;
    settings: boolean;
    mails: boolean;
    activities?: boolean;
    doneJobs?: boolean;
  };
}

export const session = store<Session | undefined>(undefined);

export async function loadSession(): Promise<void> {
  session.set(await fetchJson<Session>("/console/session", {}));
}

export const useSession = (): Session | undefined => useStore(session);

/** Where the server of the console prints addresses, tokens and secrets. */
const terminals = {
  local: "the terminal of npm start",
  url: "the terminal of npm run console",
  stack: "the terminal of npm run console",
};

export const useTerminal = (): string => terminals[useSession()?.mode ?? "local"];

/** How a window that only reads can be replaced. */
export function useWayToChange(): string {
  const again = useSession()?.mode === "local" ? ": Enter prints a new one" : "";
  return `To change something, open the last address of the console in ${useTerminal()}${again}.`;
}

/** Why an action of this scope is not possible here. Undefined: it is possible. */
export function useRefusal(scope: "read" | "write" | "admin"): string | undefined {
  const now = useSession();
  const way = useWayToChange();
  if (!now || scope === "read") return undefined;
  if (!now.canChange) return `This window only reads. ${way}`;
  if (now.scopes.includes(scope)) return undefined;
  return `The console's auth token lacks the scope ${scope}. Start the console with a token that has it.`;
}
