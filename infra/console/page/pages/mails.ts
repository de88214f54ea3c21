// The messages that the local server has kept as files. A deployment keeps none.
import { operation } from "../api.ts";
import { useLive } from "../live.ts";
import { useSession } from "../session.ts";

export interface Mail {
  id: string;
  messageId?: string;
  at: string;
  channel: string;
  to?: string;
  subject?: string;
}

export const useHasMails = (): boolean => useSession()?.operations.mails ?? false;

export function useMails() {
  const has = useHasMails();
  return useLive(has ? "mails" : undefined, (signal) => operation<{ mails: Mail[] }>("mails", signal));
}

/** By message, its last attempt. `mails`: the latest first. */
export const latestOf = (mails: readonly Mail[] = []): Map<string | undefined, Mail> =>
  // The last entry of a key stays.
  new Map(mails.toReversed().map((mail) => [mail.messageId, mail]));
