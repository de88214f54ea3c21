import { onTestFinished } from "vitest";

/**
 * Collects the unhandled rejections of this process until the end of the test. In Lambda, one of them ends the process.
 * The returned function waits until Node has reported those so far.
 */
export function unhandledRejections(): () => Promise<string[]> {
  const found: string[] = [];
  const others = process.listeners("unhandledRejection");
  const collect = (reason: unknown) => void found.push(String(reason));
  // The runner's own listener fails the whole run without naming the test.
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", collect);
  onTestFinished(() => {
    process.off("unhandledRejection", collect);
    for (const other of others) process.on("unhandledRejection", other);
  });
  return async () => {
    await new Promise(setImmediate);
    return found;
  };
}
