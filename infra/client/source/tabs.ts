// One renewal at a time over the tabs and workers of an origin. One of them asks. The others wait, and get its token by a
// channel, which is open only then. A tab that needs its first token asks for it itself. So does a tab that needs one later.
import { within } from "./within.ts";

interface Renewal {
  timeoutMs: number;
  /** Asks for a token, and keeps it. */
  ask(): Promise<string>;
  /** Keeps what another tab has sent, if it is good. */
  take(message: unknown): void;
  isRenewed(): boolean;
}

/** `user` names a user of a service. Tabs of other users neither wait nor hear anything. */
export async function inOneTabOf(user: string, { timeoutMs, ask, take, isRenewed }: Renewal): Promise<void> {
  const locks = globalThis.navigator?.locks;
  if (!locks || !("BroadcastChannel" in globalThis)) return void (await ask());
  const name = `collaboration-backend-client ${user}`;
  const channels: BroadcastChannel[] = [];
  const channel = () => channels[channels.push(new BroadcastChannel(name)) - 1] as BroadcastChannel;
  let isTurn = false;
  try {
    const [sender, receiver] = [channel(), channel()];
    const echoes = new Map<unknown, () => void>();
    receiver.onmessage = ({ data }: { data: unknown }) => (echoes.get(data) ?? (() => take(data)))();
    /** Waits for a message of its own: all that was sent before it has come. */
    const heardAll = () =>
      within(timeoutMs, undefined, () => {
        const echo = crypto.randomUUID();
        const heard = new Promise<void>((resolve) => echoes.set(echo, resolve));
        sender.postMessage(echo);
        return heard;
      });
    await locks.request(name, async () => {
      isTurn = true;
      await heardAll();
      if (isRenewed()) return;
      sender.postMessage(await ask());
      // The lock must not reach the next tab before the token.
      await heardAll().catch(() => undefined);
    });
  } catch (thrown) {
    // A browser that blocks storage refuses locks.
    if (isTurn) throw thrown;
    await ask();
  } finally {
    for (const each of channels) each.close();
  }
}
