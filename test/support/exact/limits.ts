// A busy machine can be slower than a limit of the service. In the exact tests, a limit of seconds ends nothing by chance:
// a timer of five seconds or more takes a hundred times as long. A test of a limit sets a shorter one, or fakes the timers.

const longMs = 5_000;
const factor = 100;

/** Replaces `setTimeout`. */
export function stretchLimits(): void {
  const start = globalThis.setTimeout;
  const stretched = (run: () => void, ms = 0, ...given: []) => start(run, ms < longMs ? ms : ms * factor, ...given);
  globalThis.setTimeout = Object.assign(stretched, start) as typeof setTimeout;
}
