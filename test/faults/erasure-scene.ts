// The initial items and the job of an erasure from all organizations.
import { createMissing } from "../../lib/content/existing.ts";
import type { Write } from "../../lib/dynamodb/write.ts";
import { beginErasure } from "../../lib/erasure/begin.ts";
import * as User from "../../lib/store/access/user.ts";
import * as UserGroup from "../../lib/store/access/user-group.ts";
import { addJudgments } from "../../lib/store/ai/judgment-changes.ts";
import * as Document from "../../lib/store/content/document.ts";
import type { DocumentUid, OrganizationRef } from "../../lib/store/refs.ts";
import { loggedEntity, pendingEntity } from "../../lib/store/webhooks/delivery.ts";
import { webhookEndpointEntity } from "../../lib/store/webhooks/webhook-endpoint.ts";
import * as Workspace from "../../lib/store/workspace.ts";
import type { Scene } from "../support/aws/faults.ts";
import { ann, at, documentData } from "../support/furnished-table.ts";
import { document, organizationId, put } from "./scenes.ts";

/** Two organizations, each with a document, members, a group and a judgment; and deliveries that name a user. */
export const workspaceErasure: Scene = {
  isLarge: true,
  async arrange() {
    const { apiKey: workspace } = await Workspace.create({ name: "faults" });
    const organizations = [organizationId, "second"].map((each) => ({ workspace, organizationId: each }));
    await createMissing({ workspace }, organizations);
    await put([...organizations.flatMap(contentOf), ...deliveriesNaming(workspace)]);
    const judgment = { decision: "agree", reasoning: "r", actionUser: { userId: ann }, createdAt: at } as const;
    await addJudgments({ workspace }, [
      { ...judgment, recordId: "one", organizationId },
      { ...judgment, recordId: "two", organizationId: "second" },
      { ...judgment, recordId: "three" },
    ]);
    await beginErasure(workspace, { userIds: [ann, "u1"] });
    return workspace;
  },
};

function contentOf(ref: OrganizationRef): Write[] {
  const uid = `uid-${ref.organizationId}` as DocumentUid;
  const group = { ...ref, organizationUserGroupId: "g", groupUid: "x" };
  return [
    ...Document.creation(ref, { ...document, documentUid: uid }, undefined),
    ...documentData({ ...ref, documentUid: uid }),
    ...[ann, "u1"].map((userId) => User.change({ ...ref, userId }, { profile: { name: userId } }, "new")),
    UserGroup.userGroupEntity.put(group, { ...group, createdAt: at }),
    UserGroup.joining(group, { userId: ann }),
  ];
}

function deliveriesNaming(workspace: string): Write[] {
  const [id, ref] = ["h", { workspace, endpointId: "h" }];
  const endpoint = {
    id,
    url: "https://example.com",
    filterTypes: ["nothing.happens"],
    disabled: false,
    createdAt: at,
    updatedAt: at,
    secrets: [],
  };
  const body = JSON.stringify({ event: "document.add", organizationId, data: { from: ann } });
  const delivery = { endpointId: id, event: "document.add", createdAt: at, attempts: 0, tries: 0, body };
  const last = { at, durationMs: 1 };
  return [
    webhookEndpointEntity.put(ref, endpoint),
    pendingEntity.put({ ...ref, id: "p", dueAt: 0 }, { ...delivery, id: "p", dueAt: 0 }),
    loggedEntity.put({ ...ref, id: "l" }, { ...delivery, id: "l", status: "failed", last, ttl: 4_000_000_000 }),
  ];
}
