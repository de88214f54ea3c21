import { expect, it } from "vitest";
import { activityconfigUpdate } from "../../../functions/workspace/activityconfig-update.ts";
import { emailconfigUpdate } from "../../../functions/workspace/emailconfig-update.ts";
import type { Item } from "../../../lib/dynamodb/key.ts";
import { merged, migrated } from "../../../lib/format/migrated.ts";
import { itemMigrations } from "../../../lib/format/registry.ts";
import { must, newWorkspace } from "../../support/call.ts";
import { inFormatThree } from "../../support/format-one.ts";
import { allItems } from "../../support/scan.ts";

it("gives the setting of events what stored settings want, as a call writes it", async () => {
  const as = await newWorkspace();
  await must(emailconfigUpdate, { as, data: { useEmailService: true } });
  const triggers = { comment: { added: false } };
  await must(activityconfigUpdate, { as, data: { activityServiceConfig: { isEnabled: true, triggers } } });
  const items = (await allItems()).filter(({ pk, entity }) => pk === `W#${as.apiKey}` && entity === "setting");
  const settings = new Map(items.map((item) => [item.sk, item]));
  const present = settings.get("SETTING#webhooks") as Item;
  expect(present.emailEvents).toContain("notification.add");
  expect(present.activityEvents).not.toContain("comment.add");
  const former = new Map(inFormatThree(items).map((item) => [item.sk, item]));
  let events: Item = { pk: present.pk, sk: present.sk, entity: "setting", wantedEvents: ["*"], version: 3 };
  for (const sk of ["SETTING#email", "SETTING#activity"]) {
    const [own, made] = migrated(former.get(sk) as Item, itemMigrations) ?? [];
    expect(own).toEqual(settings.get(sk));
    events = merged(made as Item, events, itemMigrations);
  }
  expect(events).toEqual({ ...present, wantedEvents: ["*"], version: 3 });
  for (const item of items) expect(migrated(item, itemMigrations)).toBeUndefined();
});
