import { join } from "node:path";
import type { Operations } from "../console/server/operations.ts";
import type { Target } from "../console/server/target.ts";

/** What the data folder knows. Each part is loaded at its first request, so that the start does not wait for it. */
export function folderOperations(folder: string, target: Promise<Target>): Operations {
  const log = onceLoaded(async () => (await import("../console/server/operations/local-log.ts")).localLog(folder));
  const mails = onceLoaded(async () =>
    (await import("../console/server/operations/mails.ts")).localMails(join(folder, "mail")),
  );
  return {
    metrics: async (minutes) => (await log()).metrics(minutes),
    jobs: {
      list: async (state) =>
        (await import("../console/server/operations/jobs.ts")).listJobs((await target).apiKey, state),
      done: async () => (await log()).doneJobs((await target).apiKey),
      retry: async (id) => (await import("../console/server/operations/jobs.ts")).retryJob((await target).apiKey, id),
    },
    settings: async () => (await import("../console/server/operations/settings.ts")).localSettings(),
    mails: { list: async () => (await mails()).list(), html: async (id) => (await mails()).html(id) },
    activities: async (id) =>
      (await import("../console/server/operations/activities.ts")).exportedActivities((await target).apiKey, id),
  };
}

function onceLoaded<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
