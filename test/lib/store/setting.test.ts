import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { inCall, newCall } from "../../../lib/call.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";

const unset = () => Setting.get({ workspace: randomUUID() }, "activity");
const added =
  (group: string) =>
  ({ triggersJson = "" }: Setting.ActivitySetting) => ({ triggersJson: `${triggersJson} ${group}` });

afterEach(() => void vi.restoreAllMocks());

describe("change", () => {
  it("decides again after a concurrent change, so that both changes are kept", async () => {
    const workspace = randomUUID();
    const known = await unset();
    await Setting.change({ workspace }, "activity", known, added("comment"));
    const seen: Setting.ActivitySetting[] = [];
    const changed = await Setting.change({ workspace }, "activity", known, (stored) => {
      seen.push(stored);
      return added("huddle")(stored);
    });
    expect(seen).toMatchObject([{ isEnabled: false }, { triggersJson: " comment" }]);
    expect(changed.triggersJson).toBe(" comment huddle");
    expect(await Setting.get({ workspace }, "activity")).toEqual(changed);
  });

  it("keeps every one of eight concurrent first changes", async () => {
    const workspace = randomUUID();
    const known = await unset();
    const groups = Array.from({ length: 8 }, (_, index) => `group-${index}`);
    await Promise.all(groups.map((group) => Setting.change({ workspace }, "activity", known, added(group))));
    const { triggersJson = "", revision } = await Setting.get({ workspace }, "activity");
    expect(triggersJson.trim().split(" ").sort()).toEqual([...groups].sort());
    expect(revision).toBe(8);
  });

  it("writes nothing when the decision throws or returns no change", async () => {
    const workspace = randomUUID();
    const refusing = Setting.change({ workspace }, "activity", await unset(), () => {
      throw new Error("no");
    });
    await expect(refusing).rejects.toThrow("no");
    expect(await Setting.change({ workspace }, "activity", await unset(), () => ({}))).toEqual({ isEnabled: false });
    expect(await Table.get(Setting.settingEntity.key({ workspace, setting: "activity" }))).toBeUndefined();
  });

  it("stops at the deadline of the call, however often its condition fails", async () => {
    const deadline = new AbortController();
    let writes = 0;
    interceptStore((command) => {
      if (command.constructor.name !== "TransactWriteCommand") return;
      if (++writes === 3) deadline.abort(new Error("too late"));
      const CancellationReasons = [{ Code: "ConditionalCheckFailed" }];
      throw Object.assign(new Error("cancelled"), { name: "TransactionCanceledException", CancellationReasons });
    });
    const known = await unset();
    const changing = inCall(newCall("r", deadline.signal), () =>
      Setting.change({ workspace: randomUUID() }, "activity", known, () => ({ isEnabled: true })),
    );
    await expect(changing).rejects.toThrow("too late");
    expect(writes).toBe(3);
  });
});
