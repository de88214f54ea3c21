// The console of the local server.
import { scopes } from "../../lib/schema/scopes.ts";
import { createSession } from "../console/server/session.ts";
import { createSite } from "../console/server/site.ts";
import type { Target } from "../console/server/target.ts";
import { folderOperations } from "./console-operations.ts";
import type { Demo } from "./demo.ts";
import { demoPath } from "./files.ts";

/** `notice` gets lines for the terminal. They can have keys. */
export function folderConsole(folder: string, notice: (line: string) => void = () => {}) {
  const { promise: target, resolve } = Promise.withResolvers<Target>();
  const session = createSession();
  return {
    site: createSite({ mode: "local", target, session, operations: folderOperations(folder, target), notice }),
    /** Replies to what waits for the service. */
    ready: (api: string, demo: Demo) => resolve({ api, ...demo, isDemo: true, keysFile: demoPath(folder), scopes }),
    address: (url: string) => session.address(url),
  };
}
