// An erasure of users from notifications.
import { expect, it } from "vitest";
import { notificationsDelete } from "../../../functions/notifications/notifications-delete.ts";
import { usergroupUsersAdd } from "../../../functions/user-groups/usergroup-users-add.ts";
import { usergroupsAdd } from "../../../functions/user-groups/usergroups-add.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { must } from "../../support/call.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { newDocument, send } from "../../support/notifications.ts";
import { itemsOf } from "../../support/scan.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();

const to = (...userIds: string[]) => ({ notifyAll: false, notifyUsers: userIds.map((userId) => ({ userId })) });

it("removes those that only the users got, also when they had deleted them, and keeps all others", async () => {
  const as = await newDocument(["zoe", "kim", "ben"]);
  const group = { organizationId, organizationUserGroupId: "g" };
  await must(usergroupsAdd, { as, data: { organizationId, organizationUserGroups: [group] } });
  await must(usergroupUsersAdd, { as, data: { ...group, userIds: ["ben"] } });
  const sent = {
    "to Zoe": to("zoe"),
    "to Zoe by herself": { ...to("zoe"), actionUser: { userId: "zoe" } },
    "to Zoe who deleted it": { ...to("zoe"), notificationId: "deleted" },
    "to Zoe and Kim": to("zoe", "kim"),
    "to Zoe and Ben": to("zoe", "ben"),
    "to Zoe and a group": { ...to("zoe"), notifyUserGroups: ["g"] },
    "to all": { ...to("zoe"), notifyAll: true },
  };
  for (const [displayBodyMessage, fields] of Object.entries(sent)) {
    await send(as, { ...fields, displayBodyMessage });
    later(1);
  }
  await must(notificationsDelete, { as, data: { organizationId, userId: "zoe", notificationIds: ["deleted"] } });
  await erased(await beginErasure(as.apiKey, { userIds: ["zoe", "kim"] }));
  const items = await itemsOf(as.apiKey);
  const left = items.flatMap(({ content }) => (content === undefined ? [] : JSON.parse(String(content))));
  expect(left.map(({ displayBodyMessage }) => displayBodyMessage)).toEqual([
    "to Zoe and Ben",
    "to Zoe and a group",
    "to all",
  ]);
  for (const entity of ["notification-pointer", "acted-entry"])
    expect(items.filter((item) => item.entity === entity)).toHaveLength(3);
  expect(items.filter(({ entity }) => entity === "deleted-notification")).toEqual([]);
});
