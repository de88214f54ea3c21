import { lost } from "./api-error.ts";

/**
 * Ends with the work, with the reason of a signal, or as DEADLINE_EXCEEDED after a time. Then `stop` is aborted, which
 * the work can ignore.
 */
export function within<Value>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (stop: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const stop = new AbortController();
  return new Promise<Value>((resolve, reject) => {
    // A signal alone may end nothing: Node forgets one that nothing holds. The timer holds both.
    const timer = setTimeout(() => end(lost("DEADLINE_EXCEEDED", `No reply within ${ms} ms.`)), ms);
    const aborted = () => end(signal?.reason);
    if (signal?.aborted) return aborted();
    signal?.addEventListener("abort", aborted);
    work(stop.signal).then(resolve, reject).finally(ended);

    function ended(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", aborted);
    }
    function end(reason: unknown): void {
      ended();
      reject(reason);
      stop.abort();
    }
  });
}
