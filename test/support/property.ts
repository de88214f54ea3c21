// The fast-check of all tests. The exact tests draw the same cases each time, the long trial others. A property that takes
// too long, or hangs, fails with its seed.
import fc from "fast-check";
import { isLong, seedFrom } from "./long.ts";

/** Shorter than the timeout of a test, which would print no seed. */
const limitMs = 540_000;

fc.configureGlobal({
  seed: seedFrom(1),
  numRuns: isLong ? 1_000 : 40,
  interruptAfterTimeLimit: limitMs,
  markInterruptAsFailure: true,
});

export default fc;
