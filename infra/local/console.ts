// The console of the local server.
import { join } from "node:path";
import { scopes } from "../../lib/schema/scopes.ts";
import { quoted } from "../cli/quoted.ts";
import type { Operations } from "../console/server/operations.ts";
import { createSession } from "../console/server/session.ts";
import { createSite } from "../console/server/site.ts";
import type { Target } from "../console/server/target.ts";
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

/** What the data folder knows. Each part is loaded at its first request, so that the start does not wait for it. */
function folderOperations(folder: string, target: Promise<Target>): Operations {
  let loaded: Promise<NonNullable<Operations["mails"]>> | undefined;
  const mails = () => {
    loaded ??= import("../console/server/operations/mails.ts").then(({ localMails }) =>
      localMails(join(folder, "mail")),
    );
    return loaded;
  };
  return {
    jobs: {
      place: `--data ${quoted(folder)}`,
      list: async (state) =>
        (await import("../console/server/operations/jobs.ts")).listJobs((await target).apiKey, state, folder),
      retry: async (id) => (await import("../console/server/operations/jobs.ts")).retryJob((await target).apiKey, id),
    },
    settings: async () => (await import("../console/server/operations/settings.ts")).localSettings(),
    mails: { list: async () => (await mails()).list(), html: async (id) => (await mails()).html(id) },
  };
}
