// The standard streams of a command. Standard output carries only its result, so log lines go to standard error.

/**
 * Call it once, before anything is printed. A command whose output can no longer be written still runs to its end. If
 * the reader of the output has ended, as in `| head`, the command prints no error and keeps its exit code. After any other
 * failure, such as a full disk, the command prints an error, and its exit code is not 0. `onClosed` runs in both cases.
 */
export function standardStreams(onClosed?: () => void) {
  const print = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  let hasFailed = false;
  for (const output of [process.stdout, process.stderr]) {
    output.on("error", ({ code, message }: NodeJS.ErrnoException) => {
      if (code !== "EPIPE" && !hasFailed) {
        hasFailed = true;
        process.stderr.write(`The output cannot be written: ${message}.\n`);
        process.on("exit", () => {
          process.exitCode ||= 1;
        });
      }
      onClosed?.();
    });
  }
  return {
    stdin: process.stdin,
    print: (text: string) => void print(text),
    printError: (text: string) => void process.stderr.write(text),
  };
}
