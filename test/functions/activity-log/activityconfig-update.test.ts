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
        { isEnabled: true, triggers: { comment: { added: true, deleted: true }, huddle: { "call.joined": true } } },
        {
          isEnabled: true,
          immutable: false,
          triggers: { comment: { added: true, deleted: true }, huddle: { "call.joined": true } },
        },
      ],
      [
        { immutable: true, triggers: { comment: { deleted: false }, constructor: { toString: true }, recording: {} } },
        {
          isEnabled: true,
          immutable: true,
          triggers: {
            comment: { added: true, deleted: false },
            huddle: { "call.joined": true },
            constructor: { toString: true },
            recording: {},
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
    const actions = Array.from({ length: 4 }, (_, index) => `action-${index}`);
    await Promise.all([
      ...actions.map((action) => update(as, { triggers: { comment: { [action]: true } } })),
      update(as, { isEnabled: true }),
      update(as, { immutable: true, triggers: { huddle: { joined: false } } }),
    ]);
    const comment = Object.fromEntries(actions.map((action) => [action, true]));
    const triggers = { comment, huddle: { joined: false } };
    expect(await read(as)).toEqual({ isEnabled: true, immutable: true, triggers });
  });
});

describe("FAILED_PRECONDITION", () => {
  it("for a call that unsets immutable, which changes nothing", async () => {
    const as = await newWorkspace();
    await update(as, { isEnabled: true, immutable: true });
    const data = { activityServiceConfig: { isEnabled: false, immutable: false } };
    const { error } = await call(activityconfigUpdate, { as, data });
    expect(error).toMatchObject({
      status: "FAILED_PRECONDITION",
      message: expect.stringContaining("activityServiceConfig.immutable"),
    });
    expect(await read(as)).toEqual({ isEnabled: true, immutable: true });
    expect(await update(as, { immutable: true, isEnabled: false })).toEqual({ isEnabled: false, immutable: true });
  });
});

describe("INVALID_ARGUMENT", () => {
  const field = "activityServiceConfig";
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`action-${index}`, true]));
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
    ["an invalid group name", `${field}.triggers.a b`, { triggers: { "a b": {} } }],
    ["an empty action name", `${field}.triggers.comment.`, { triggers: { comment: { "": true } } }],
    ["too many triggers", `${field}.triggers`, { triggers: { comment: many } }],
  ];

  it.each(bad)("is returned for %s, and nothing is changed", async (_, path, activityServiceConfig) => {
    const as = await newWorkspace();
    await update(as, { isEnabled: true, triggers: { comment: { added: true } } });
    const before = await storedOf(as);
    expect(await issuesOf(activityconfigUpdate, as, { activityServiceConfig })).toEqual([path]);
    expect(await storedOf(as)).toEqual(before);
  });
});

describe("AWS calls", () => {
  it("makes one read and one conditional update", async () => {
    const aws = mockAws(mocked.rows);
    await callSource(handler, activityconfigUpdate, { activityServiceConfig: { isEnabled: true } });
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#activity$/),
      "TransactWrite Update W#w SETTING#activity if {no revision}, Update W#w SETTING#webhooks",
    ]);
    aws.restore();
  });
});
