// A clock for durations. Node loads a large module on the first use of the global `performance`, which every call
// would need.

const nanosecondsInMs = 1e6;

/** Milliseconds since an unknown moment. Changes of the system's time do not affect them. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / nanosecondsInMs;
