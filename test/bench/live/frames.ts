// Counts what the WebSockets of a process send and get, by the type of the message.
const counts: Record<string, number> = {};

function count(direction: "sent" | "got", text: unknown): void {
  const type = typeof text === "string" ? /"type":"(\w+)"/.exec(text)?.[1] : undefined;
  const name = `${direction} ${type ?? "binary"}`;
  counts[name] = (counts[name] ?? 0) + 1;
}

export const frames = () => ({ ...counts });

export function countFrames(): void {
  globalThis.WebSocket = class extends WebSocket {
    constructor(...args: ConstructorParameters<typeof WebSocket>) {
      super(...args);
      this.addEventListener("message", ({ data }) => count("got", data));
    }

    override send(data: Parameters<WebSocket["send"]>[0]): void {
      count("sent", data);
      super.send(data);
    }
  };
}
