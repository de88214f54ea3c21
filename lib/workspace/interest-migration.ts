// From format 3 to 4: what a workspace's e-mail and activity log want is in the setting that each call with events reads.
// The two settings have a copy of it. An item whose copy does not fit its other fields was written by a release before.
import { isDeepStrictEqual } from "node:util";
import type { Item } from "../dynamodb/key.ts";
import { type SettingName, settingEntity, settingOf } from "../store/setting.ts";
import { recordedBy } from "./activity.ts";
import { mailedBy } from "./email.ts";

export function withInterest(item: Item): Item[] {
  const interest = interestOf(item);
  const isCopied = Object.entries(interest).every(([name, value]) => isDeepStrictEqual(item[name], value));
  if (isCopied) return [item];
  const { pk } = item;
  return [
    { ...item, ...interest },
    { pk, sk: sortKeyOf("webhooks"), entity: settingEntity.name, ...interest },
  ];
}

/** The setting "webhooks", with what one of the others wants. */
export const withOwnInterest = (moved: Item, present: Item): Item => ({ ...present, ...moved });

const sortKeyOf = (setting: SettingName) => settingEntity.key({ workspace: "", setting }).sk;

function interestOf(item: Item): object {
  if (item.sk === sortKeyOf("email")) return mailedBy(settingOf("email", item));
  if (item.sk === sortKeyOf("activity")) return recordedBy(settingOf("activity", item));
  return {};
}
