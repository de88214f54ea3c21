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

const readOnly =
  "This window only reads. To change something, open the address that the console printed in its terminal.";

/** Why an action of this scope is not possible here. Undefined: it is possible. */
export function useRefusal(scope: "read" | "write" | "admin"): string | undefined {
  const now = useSession();
  if (!now || scope === "read") return undefined;
  if (!now.canChange) return readOnly;
  if (now.scopes.includes(scope)) return undefined;
  return `The console's auth token lacks the scope ${scope}. Start the console with a token that has it.`;
}
