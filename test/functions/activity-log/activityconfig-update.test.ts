import { describe, expect, it } from "vitest";
import { activityconfigGet } from "../../../functions/activity-log/activityconfig-get.ts";
import { activityconfigUpdate, handler } from "../../../functions/activity-log/activityconfig-update.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { storedOf } from "../../support/refusal.ts";
import { callSource, issuesOf, mocked } from "../../support/workspace.ts";

const update = async (as: Credentials, activityServiceConfig: object) =>
  (await must(activityconfigUpdate, { as, data: { activityServiceConfig } })).activityServiceConfig;
const read = async (as: Credentials) => (await must(activityconfigGet, { as })).activityServiceConfig;

describe("OK", () => {
  it("sets the given fields, merges triggers key by key, and keeps the rest", async () => {
    const as = await newWorkspace();
    const steps: [sent: object, state: object][] = [
      [{}, { isEnabled: false }],
      [
        { immutable: false, isEnabled: null },
        { isEnabled: false, immutable: false },
      ],
      [{ triggers: {} }, { isEnabled: false, immutable: false, triggers: {} }],
      [
        { isEnabled: true, triggers: { comment: { added: true, deleted: true }, crdt: { added: true } } },
        {
          isEnabled: true,
          immutable: false,
          triggers: { comment: { added: true, deleted: true }, crdt: { added: true } },
        },
      ],
      [
        { immutable: true, triggers: { comment: { deleted: false }, presence: { added: false }, recorder: {} } },
        {
          isEnabled: true,
          immutable: true,
          triggers: {
            comment: { added: true, deleted: false },
            crdt: { added: true },
            presence: { added: false },
            recorder: {},
          },
        },
      ],
    ];
    for (const [sent, state] of steps) {
      expect(await update(as, sent)).toEqual(state);
      expect(await read(as)).toEqual(state);
    }
  });

  it("keeps every flag of concurrent updates, also within one group", async () => {
    const as = await newWorkspace();
    const actions = ["added", "deleted", "updated"];
    await Promise.all([
      ...actions.map((action) => update(as, { triggers: { comment: { [action]: true } } })),
      update(as, { isEnabled: true }),
      update(as, { triggers: { crdt: { added: false } } }),
    ]);
    await update(as, { immutable: true });
    const comment = Object.fromEntries(actions.map((action) => [action, true]));
    const triggers = { comment, crdt: { added: false } };
    expect(await read(as)).toEqual({ isEnabled: true, immutable: true, triggers });
  });
});

describe("FAILED_PRECONDITION", () => {
  const triggers = { comment: { added: true }, crdt: { added: false } };

  it.each<[string, object]>([
    ["unsets immutable", { immutable: false }],
    ["turns the log off", { isEnabled: false }],
    ["ends the record of a type", { triggers: { comment: { added: false } } }],
    ["ends the record of a type that had no trigger", { triggers: { folder: { deleted: false } } }],
    ["ends one, and begins another", { triggers: { comment: { updated: false }, crdt: { added: true } } }],
    ["does so with a field that is allowed", { immutable: true, isEnabled: false }],
  ])("of an immutable log, for a call that %s: it changes nothing", async (_, activityServiceConfig) => {
    const as = await newWorkspace();
    await update(as, { isEnabled: true, immutable: true, triggers });
    const before = await storedOf(as);
    const { error } = await call(activityconfigUpdate, { as, data: { activityServiceConfig } });
    expect(error).toMatchObject({
      status: "FAILED_PRECONDITION",
      message: expect.stringContaining("activityServiceConfig.immutable"),
    });
    expect(await storedOf(as)).toEqual(before);
  });

  it("for no call that has an immutable log record more", async () => {
    const as = await newWorkspace();
    await update(as, { immutable: true, triggers });
    await update(as, { isEnabled: true });
    await update(as, { isEnabled: true, immutable: true, triggers: { crdt: { added: true, updated: true } } });
    const added = { ...triggers, crdt: { added: true, updated: true } };
    expect(await read(as)).toEqual({ isEnabled: true, immutable: true, triggers: added });
  });
});

describe("INVALID_ARGUMENT", () => {
  const field = "activityServiceConfig";
  const bad: [name: string, path: string, sent: unknown][] = [
    ["a missing configuration", field, undefined],
    ["a list", field, []],
    ["a flag that is a string", `${field}.isEnabled`, { isEnabled: "true" }],
    ["triggers that are a list", `${field}.triggers`, { triggers: [] }],
    ["a group that is a flag", `${field}.triggers.comment`, { triggers: { comment: true } }],
    ["a group that is null", `${field}.triggers.comment`, { triggers: { comment: null } }],
    ["a group that is a list", `${field}.triggers.comment`, { triggers: { comment: [true] } }],
    ["an action that is a number", `${field}.triggers.comment.added`, { triggers: { comment: { added: 1 } } }],
    ["a third level of triggers", `${field}.triggers.comment.added`, { triggers: { comment: { added: { x: true } } } }],
    ["an unknown group", `${field}.triggers.huddle`, { triggers: { huddle: { joined: true } } }],
    ["a group of another name", `${field}.triggers.constructor`, { triggers: { constructor: { toString: true } } }],
    ["an unknown action", `${field}.triggers.comment.joined`, { triggers: { comment: { joined: true } } }],
    ["an empty action name", `${field}.triggers.comment.`, { triggers: { comment: { "": true } } }],
    ["an event type in place of a group", `${field}.triggers.comment.add`, { triggers: { "comment.add": true } }],
  ];

  it.each(bad)("is returned for %s, and nothing is changed", async (_, path, activityServiceConfig) => {
    const as = await newWorkspace();
    await update(as, { isEnabled: true, triggers: { comment: { added: true } } });
    const before = await storedOf(as);
    expect(await issuesOf(activityconfigUpdate, as, { activityServiceConfig })).toEqual([path]);
    expect(await storedOf(as)).toEqual(before);
  });
});

describe("a trigger that would have no effect", () => {
  it.each<[string, object, string]>([
    ["a mistyped group", { coment: { added: true } }, "Would have no effect. Did you mean comment?"],
    ["a mistyped action", { comment: { aded: true } }, "Would have no effect. Did you mean added?"],
    ["another action", { crdt: { renamed: true } }, "Would have no effect. Must be one of added, deleted, updated."],
  ])("is refused with what is meant: %s", async (_, triggers, message) => {
    const as = await newWorkspace();
    const { error } = await call(activityconfigUpdate, { as, data: { activityServiceConfig: { triggers } } });
    expect(error?.message).toContain(message);
  });
});

describe("AWS calls", () => {
  it("makes one read and one conditional update, and wakes the job that has the logs record it", async () => {
    const aws = mockAws(mocked.rows);
    await callSource(handler, activityconfigUpdate, { activityServiceConfig: { isEnabled: true } });
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#activity$/),
      "TransactWrite Update W#w SETTING#activity if {no revision}, Update W#w SETTING#webhooks",
      expect.stringMatching(/^Get JOB#activity-\S+ JOB$/),
      expect.stringMatching(/^Put JOB#activity-\S+ JOB if absent$/),
      "SendMessageBatch",
    ]);
    aws.restore();
  });
});
