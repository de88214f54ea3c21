// The fast-check of all tests. A property that takes too long, or hangs, fails with its seed.
import fc from "fast-check";

/** Shorter than the timeout of a test, which would print no seed. */
const limitMs = 100_000;

fc.configureGlobal({ interruptAfterTimeLimit: limitMs, markInterruptAsFailure: true });

export default fc;
