// How the common tests make an endpoint return each failure that it declares.
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { testsMax } from "../../../lib/messages/test-mail.ts";
import { hashOf, idOf } from "../../../lib/store/access/auth-token.ts";
import * as Folder from "../../../lib/store/content/folder.ts";
import { take } from "../../../lib/store/messages/message-count.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { type Credentials, must, type RequestOptions } from "../call.ts";
import { dataOf, named, posts } from "./requests.ts";

const organizationId = "acme";

/** For each status that an endpoint declares, a request that fails with it. */
export const failures: Record<string, Record<string, (as: Credentials) => Promise<RequestOptions> | RequestOptions>> = {
  ...Object.fromEntries(
    posts
      .filter(({ errors }) => errors.includes("NOT_FOUND"))
      .map((each) => [each.name, { NOT_FOUND: (as: Credentials) => ({ as, data: elsewhere(each) }) }]),
  ),
  "not-found": { NOT_FOUND: () => ({}) },
};
for (const [name, needed] of [
  ["folders-add", "advancedQueries"],
  ["notifications-config-get", "notifications"],
  ["notifications-config-set", "notifications"],
] as const) {
  failures[name] = {
    ...failures[name],
    FAILED_PRECONDITION: async (as) => {
      await Setting.update({ workspace: as.apiKey }, "switches", { [needed]: false });
      return { as, data: dataOf(named(name)) };
    },
  };
}

failures["activities-checkpoint-get"] = {
  ...failures["activities-checkpoint-get"],
  FAILED_PRECONDITION: async (as) => {
    await must(named("organizations-add"), { as, data: { organizations: [{ organizationId: "quiet" }] } });
    return { as, data: { organizationId: "quiet" } };
  },
};
const activity: [name: string, setting: Partial<Setting.ActivitySetting>][] = [
  ["activities-add", { isEnabled: false }],
  ["activities-update", { immutable: true }],
  ["activities-delete", { immutable: true }],
  ["activityconfig-update", { immutable: true }],
];
for (const [name, setting] of activity) {
  failures[name] = {
    ...failures[name],
    FAILED_PRECONDITION: async (as) => {
      await Setting.change({ workspace: as.apiKey }, "activity", undefined, () => setting);
      return { as, data: dataOf(named(name)) };
    },
  };
}
failures["messages-get"] = {
  NOT_FOUND: (as) => ({ as, data: { organizationId, documentId: "missing" } }),
};
failures["locations-update"] = {
  ...failures["locations-update"],
  ALREADY_EXISTS: async (as) => {
    const endpoint = named("locations-update");
    const other = { id: "page-2" };
    await must(endpoint, { as, data: { ...dataOf(endpoint), migrate: { oldLocation: other, newLocation: other } } });
    return { as, data: dataOf(endpoint) };
  },
};
failures["documents-migrate"] = {
  ...failures["documents-migrate"],
  ALREADY_EXISTS: async (as) => {
    await must(named("documents-add"), { as, data: { organizationId, documents: [{ documentId: "roadmap" }] } });
    return { as, data: dataOf(named("documents-migrate")) };
  },
  ABORTED: async (as) => {
    const organization = { workspace: as.apiKey, organizationId };
    await must(named("folders-add"), { as, data: { organizationId, folders: [{ folderId: "going" }] } });
    const documents = [{ documentId: "inside" }];
    await must(named("documents-add"), { as, data: { organizationId, folderId: "going", documents } });
    const folder = (await Folder.get({ ...organization, folderId: "going" })) as Folder.Folder;
    await commit([Folder.change(organization, folder, { ...folder, deletionJobId: "job" })]);
    return { as, data: { ...dataOf(named("documents-migrate")), documentId: "inside" } };
  },
};
failures["crdt-update"] = {
  ...failures["crdt-update"],
  FAILED_PRECONDITION: (as) => ({ as, data: { ...dataOf(named("crdt-update")), type: "map" } }),
};
failures["crdt-add"] = {
  ...failures["crdt-add"],
  ALREADY_EXISTS: (as) => ({ as, data: { ...dataOf(named("crdt-add")), editorId: "notes" } }),
};

for (const { name, errors } of posts.filter(({ needs }) => needs.includes("advancedWebhooks"))) {
  const data = dataOf(named(name));
  failures[name] = {
    FAILED_PRECONDITION: async (as) => {
      await Setting.update({ workspace: as.apiKey }, "switches", { advancedWebhooks: false });
      return { as, data };
    },
    ...(errors.includes("NOT_FOUND") && { NOT_FOUND: (as) => ({ as, data: { ...data, endpointId: "missing" } }) }),
  };
}

failures["webhook-endpoints-create"] = {
  ...failures["webhook-endpoints-create"],
  RESOURCE_EXHAUSTED: async (as) => {
    const endpoint = named("webhook-endpoints-create");
    const { endpoints } = await must(named("webhook-endpoints-get"), { as, data: { pageSize: 100 } });
    for (let count = endpoints.length; count < 50; count++) await must(endpoint, { as, data: dataOf(endpoint) });
    return { as, data: dataOf(endpoint) };
  },
};

const hourMs = 3_600_000;
failures["emailconfig-test"] = {
  RESOURCE_EXHAUSTED: async (as) => {
    // A provider is set up, and not asked: the five tests of the hour are used up.
    const emailServiceConfig = { type: "external", apiKey: "SG.key", fromEmail: "notes@example.com" };
    await must(named("emailconfig-update"), { as, data: { useEmailService: true, emailServiceConfig } });
    const hour = new Date(Math.floor(Date.now() / hourMs) * hourMs).toISOString();
    for (let count = 0; count < testsMax; count++) await take({ workspace: as.apiKey, day: hour }, testsMax);
    return { as, data: { email: "bob@example.com" } };
  },
};
failures["jobs-status"] = { NOT_FOUND: (as) => ({ as, data: { jobId: "missing" } }) };

failures["authtokens-revoke"] = {
  NOT_FOUND: (as) => ({ as, data: { tokenId: "missing" } }),
  FAILED_PRECONDITION: (as) => ({ as, data: { tokenId: idOf(hashOf(as.authToken)) } }),
};
failures["knowledge-get"] = { NOT_FOUND: (as) => ({ as, data: { sourceId: "missing" } }) };
failures["agents-update"] = { NOT_FOUND: (as) => ({ as, data: { agentId: "missing", name: "A" } }) };
failures["agents-config-resolve"] = { NOT_FOUND: (as) => ({ as, data: { agentId: "missing" } }) };

failures["memory-ask"] = {
  FAILED_PRECONDITION: async (as) => {
    await must(named("aimodelconfig-update"), { as, data: { providers: { openai: { apiKey: "" } } } });
    await must(named("judgments-add"), { as, data: dataOf(named("judgments-add")) });
    return { as, data: { question: "Which discount has legal approved?" } };
  },
};

/** The valid request, for an organization that does not exist. */
function elsewhere(endpoint: Endpoint): unknown {
  const text = JSON.stringify(dataOf(endpoint));
  return JSON.parse(text.replaceAll('"organizationId":"acme"', '"organizationId":"missing"'));
}
