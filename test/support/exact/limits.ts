// A busy machine can be slower than a limit of the service. So in the exact tests, timers of five seconds or more, and
// signals that abort after 300 ms or more, take a hundred times as long: no such limit ends a call or a run by chance. A
// test of a limit sets a shorter one, or fakes the timers. Timers of five minutes or more stay: they end what hangs.

const [timerMsMin, timerMsLong] = [5_000, 300_000];
const signalMsMin = 300;
const factor = 100;

const stretched = (ms: number, leastMs: number) => (ms < leastMs || ms >= timerMsLong ? ms : ms * factor);

/** Replaces `setTimeout` and `AbortSignal.timeout`. */
export function stretchLimits(): void {
  const { setTimeout: start } = globalThis;
  const started = (run: () => void, ms = 0, ...given: []) => start(run, stretched(ms, timerMsMin), ...given);
  globalThis.setTimeout = Object.assign(started, start) as typeof setTimeout;
  const after = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) => after(stretched(ms, signalMsMin));
}
