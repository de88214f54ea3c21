// The port of a DynamoDB engine. Engines of one user can listen on the same port, and each then gets some requests of the
// other. So only one engine of a user starts at a time.
import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { withLock } from "./lock.ts";
import { StartError } from "./start-error.ts";

/** Starts an engine on a free port. Until `start` has ended, no other engine of this user starts. */
export const withFreePort = <T>(start: (port: number) => Promise<T>): Promise<T> =>
  withLock(join(tmpdir(), `dynoxide-${userInfo().uid}.lock`), async () => start(await freePort()));

/**
 * The engine answers the requests of any page, whatever its origin, and has no option against it. Browsers send no
 * request to these ports: they are "bad ports" of the Fetch standard.
 */
const portsClosedToBrowsers = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/** Any free port, once more engines run than there are such ports, as in tests. */
async function freePort(): Promise<number> {
  const start = randomInt(portsClosedToBrowsers.length);
  const ports = [...portsClosedToBrowsers.slice(start), ...portsClosedToBrowsers.slice(0, start), 0];
  for (const port of ports) {
    const found = await probed(port);
    if (found !== undefined) return found;
  }
  throw new StartError("No port is free for the DynamoDB engine.");
}

/** The port if it is free; 0 selects any. */
function probed(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer().once("error", () => resolve(undefined));
    probe.listen(port, "127.0.0.1", () => {
      const { port: found } = probe.address() as { port: number };
      probe.close(() => resolve(found));
    });
  });
}
