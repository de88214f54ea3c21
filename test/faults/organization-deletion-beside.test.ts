// An organization is deleted beside everything else. Calls that begin after the reply of the deletion change nothing
// until its job has ended, whatever the worker survives, and then the next life keeps what they add.
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as documentsDataAdd from "../../functions/comments/documents-data-add.ts";
import * as documentsAdd from "../../functions/documents/documents-add.ts";
import * as foldersAdd from "../../functions/folders/folders-add.ts";
import * as foldersDelete from "../../functions/folders/folders-delete.ts";
import * as notificationsAdd from "../../functions/notifications/notifications-add.ts";
import * as organizationsAdd from "../../functions/organizations/organizations-add.ts";
import * as organizationsDelete from "../../functions/organizations/organizations-delete.ts";
import * as permissionsAdd from "../../functions/permissions/permissions-add.ts";
import * as usersAdd from "../../functions/users/users-add.ts";
import type { Item } from "../../lib/dynamodb/key.ts";
import * as AuthToken from "../../lib/store/access/auth-token.ts";
import { getStored, isBeingDeleted } from "../../lib/store/content/organization-life.ts";
import { atEveryCall, type Scene } from "../support/aws/faults.ts";
import { type Credentials, call, must, newWorkspace } from "../support/call.ts";
import { newTableInMemory } from "../support/engine/in-memory.ts";
import { later } from "../support/fake-dates.ts";
import { runJobs } from "../support/run-jobs.ts";
import { itemsOf } from "../support/scan.ts";
import { callSource, type EndpointSource } from "../support/source-call.ts";
import * as scenes from "./scenes.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const { organizationId } = scenes;
const person = { userId: "late" };
const resources = [{ type: "folder", id: "late", organizationId }];
const features = { documentId: "d", location: { id: "l" }, reactions: [{ reactionId: "r", from: person }] };
const told = { actionUser: person, notifyUsers: [person], isNotificationResolverUsed: true };
/** What a call replies while the organization is being deleted, by request. */
const calls: [source: EndpointSource, data: object, status: "INVALID_ARGUMENT" | "ABORTED"][] = [
  [documentsAdd, { documents: [{ documentId: "late" }] }, "INVALID_ARGUMENT"],
  [documentsDataAdd, features, "INVALID_ARGUMENT"],
  [foldersAdd, { folders: [{ folderId: "late" }] }, "INVALID_ARGUMENT"],
  [foldersDelete, { folderIds: ["late"] }, "INVALID_ARGUMENT"],
  [organizationsDelete, {}, "INVALID_ARGUMENT"],
  [foldersAdd, { folders: [{ folderId: "late" }], createOrganization: true }, "ABORTED"],
  [usersAdd, { users: [person], createOrganization: true }, "ABORTED"],
  [notificationsAdd, { documentId: "late", createOrganization: true, createDocument: true, ...told }, "ABORTED"],
  [permissionsAdd, { user: person, permissions: { resources } }, "ABORTED"],
  [organizationsAdd, { organizations: [{ organizationId }] }, "ABORTED"],
];

const requestOf = (source: EndpointSource, data: object) =>
  source === organizationsAdd || source === permissionsAdd ? data : { organizationId, ...data };
const isOf = ({ pk, organizationId: of }: Item) =>
  !pk.startsWith("JOB#") && (of === organizationId || /#O#o(?:#|$)/.test(pk));
const contentOf = async (workspace: string) => (await itemsOf(workspace)).filter(isOf);

describe("the job", () => {
  let next: Item[];
  const scene: Scene = {
    ...scenes.organizationDeletion,
    async arrange() {
      next = [];
      return scenes.organizationDeletion.arrange();
    },
    async beside(apiKey) {
      const as = { apiKey, ...(await AuthToken.create({ workspace: apiKey })) };
      const [organization] = await getStored({ workspace: apiKey }, [organizationId]);
      if (!organization) {
        await callSource(foldersAdd, as, { organizationId, folders: [{ folderId: "late" }], createOrganization: true });
        next = await contentOf(apiKey);
        return;
      }
      expect(isBeingDeleted(organization)).toBe(true);
      for (const [source, data, expected] of calls) {
        const { status, message } = await callSource(source, as, requestOf(source, data));
        expect(status, message).toBe(expected);
        if (status === "ABORTED") expect(message).toContain(organization.deletionJobId);
      }
    },
  };

  it("leaves nothing of the former life and everything of the next one, where it is killed beside calls", async () => {
    const count = await atEveryCall(scene, "process killed", async (workspace, what) => {
      expect(await contentOf(workspace), what).toEqual(next);
    });
    expect(count).toBeGreaterThan(100);
  });
});

describe("the call", () => {
  beforeAll(() => newTableInMemory());
  const arranged = async (): Promise<Credentials> => {
    const as = await newWorkspace();
    await must(organizationsAdd.organizationsAdd, { as, data: { organizations: [{ organizationId }] } });
    await must(documentsAdd.documentsAdd, { as, data: { organizationId, documents: [{ documentId: "d" }] } });
    return as;
  };
  const endpointOf = ({ handler: _, ...exports }: EndpointSource) => Object.values(exports)[0] as { name: string };

  it("and calls beside it: what they have added is deleted, and the others are refused", async () => {
    const replies = new Set<string>();
    const [, , , , , ...creating] = calls;
    for (let round = 0; round < 12; round++) {
      const as = await arranged();
      const deletion = call(organizationsDelete.organizationsDelete, { as, data: { organizationId } });
      const others = [...calls.slice(0, 4), ...creating].map(([source, data]) =>
        call(endpointOf(source), { as, data: requestOf(source, data) }),
      );
      const { data, error } = await deletion;
      expect(error).toBeUndefined();
      for (const [index, each] of (await Promise.all(others)).entries()) {
        replies.add(each.error?.status ?? "OK");
        // UNAVAILABLE: a document that the call would create was deleted beside it, twice.
        expect(
          ["INVALID_ARGUMENT", "ABORTED", "UNAVAILABLE", undefined],
          `call ${index}: ${each.error?.message}`,
        ).toContain(each.error?.status);
        if (each.error?.status === "ABORTED") expect(each.error.message).toContain(data.jobId);
      }
      later(1);
      await runJobs(as);
      expect(await contentOf(as.apiKey)).toEqual([]);
    }
    expect(replies.size).toBeGreaterThan(1);
  });
});
