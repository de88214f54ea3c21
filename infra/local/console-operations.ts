import { join } from "node:path";
import type { Operations } from "../console/server/operations.ts";
import type { Target } from "../console/server/target.ts";

/** What the data folder knows. Each part is loaded at its first request, so that the start does not wait for it. */
export function folderOperations(folder: string, target: Promise<Target>): Operations {
  let loaded: Promise<NonNullable<Operations["mails"]>> | undefined;
  const mails = () => {
    loaded ??= import("../console/server/operations/mails.ts").then(({ localMails }) =>
      localMails(join(folder, "mail")),
    );
    return loaded;
  };
  return {
    jobs: {
      list: async (state) =>
        (await import("../console/server/operations/jobs.ts")).listJobs((await target).apiKey, state),
      retry: async (id) => (await import("../console/server/operations/jobs.ts")).retryJob((await target).apiKey, id),
    },
    settings: async () => (await import("../console/server/operations/settings.ts")).localSettings(),
    mails: { list: async () => (await mails()).list(), html: async (id) => (await mails()).html(id) },
  };
}
