// The settings that an endpoint reads with its caller, and the switches that it needs (DECISIONS.md#switches).
import { ApiError } from "../errors.ts";
import { howToTurnOn } from "../schema/setting-names.ts";
import type { SettingName } from "../store/setting.ts";
import type { Caller, Endpoint } from "./endpoint.ts";

export function settingsOf(declared: Endpoint): SettingName[] {
  const implied: SettingName[] = [];
  if (declared.needs.length > 0) implied.push("switches");
  if (declared.events.length > 0) implied.push("webhooks");
  return [...implied, ...declared.settings];
}

/** Throws FAILED_PRECONDITION when a switch is off. */
export async function checkSwitches(declared: Endpoint, caller: Caller): Promise<void> {
  const switches = await caller.setting("switches");
  const off = declared.needs.find((name) => !switches[name]);
  if (!off) return;
  throw new ApiError("FAILED_PRECONDITION", `The switch ${off} is off for this workspace. ${howToTurnOn(off)}`);
}
