// The first enabling of the email service, after all orders of updates (DECISIONS.md#first-enabling-of-email).
import { describe, expect, it } from "vitest";
import { newWorkspace } from "../../support/call.ts";
import { config, external, on, read, stateAfter, unset, update } from "../../support/email.ts";

const seeded = {
  "comment_annotation.add": true,
  "comment.add": true,
  "comment_annotation.status_change": true,
  "comment_annotation.assign": true,
  "comment_annotation.priority_change": true,
  "huddle.create": true,
  "huddle.join": true,
};

describe("OK", () => {
  const enabled = { useEmailService: true, emailServiceConfig: { ...unset, type: "custom", triggers: seeded } };
  const withConfig = (more: object) => ({ ...enabled, emailServiceConfig: { ...enabled.emailServiceConfig, ...more } });
  const sender = { fromEmail: "a@example.com", fromCompany: "A" };
  const off = { "comment.add": false };

  const orders: [name: string, updates: object[], state: object][] = [
    ["by the flag", [on], enabled],
    ["by the type", [config({ type: "custom" })], enabled],
    ["by both", [{ ...on, ...config({ type: "custom" }) }], enabled],
    ["by an empty set of triggers too", [{ ...on, ...config({ triggers: {} }) }], enabled],
    [
      "under the request's triggers",
      [{ ...on, ...config({ triggers: off }) }],
      withConfig({ triggers: { ...seeded, ...off } }),
    ],
    [
      "beside triggers of the request's own",
      [{ ...on, ...config({ triggers: { "a.b": true } }) }],
      withConfig({ triggers: { ...seeded, "a.b": true } }),
    ],
    ["under the request's type", [{ ...on, ...config({ type: "default" }) }], withConfig({ type: "default" })],
    [
      "under the request's flag",
      [{ useEmailService: false, ...config({ type: "custom" }) }],
      { ...enabled, useEmailService: false },
    ],
    ["under another type with its key", [{ ...on, ...config(external) }], withConfig(external)],
    ["over a sender stored before", [config(sender), on], withConfig(sender)],
    ["over a type and key stored before", [config(external), on], withConfig(external)],
    ["over an off stored before", [{ useEmailService: false }, config({ type: "custom" })], enabled],
    ["over empty triggers stored before", [config({ triggers: {} }), on], enabled],
    [
      "once: not again after a trigger was switched off",
      [on, config({ triggers: off }), on],
      withConfig({ triggers: { ...seeded, ...off } }),
    ],
    [
      "once: not again by the type",
      [on, { useEmailService: false, ...config({ triggers: off }) }, config({ type: "custom" })],
      { ...withConfig({ triggers: { ...seeded, ...off } }), useEmailService: false },
    ],
    [
      "not where triggers were stored before",
      [config({ triggers: off }), on],
      { ...on, emailServiceConfig: { ...unset, triggers: off } },
    ],
  ];

  it.each(orders)("seeds the defaults %s", async (_, updates, state) => {
    expect(await stateAfter(...updates)).toEqual(state);
  });

  it.each([
    ["switching off", { useEmailService: false }],
    ["the type default", config({ type: "default" })],
    ["the type external", config(external)],
    ["a sender", config(sender)],
    ["nothing in the configuration", config({})],
  ])("is not triggered by %s", async (_, data) => {
    const { useEmailService, emailServiceConfig } = await stateAfter(data);
    expect(useEmailService).toBe(false);
    expect(emailServiceConfig.triggers).toEqual({});
  });

  it("happens once for two concurrent updates, and keeps the fields of both", async () => {
    for (let round = 0; round < 3; round++) {
      const as = await newWorkspace();
      await Promise.all([
        update(as, { ...on, ...config({ ...external, triggers: { "comment.add": false } }) }),
        update(as, { ...on, ...config({ fromEmail: "a@example.com", triggers: { "huddle.join": false } }) }),
      ]);
      expect(await read(as)).toEqual(
        withConfig({
          ...external,
          fromEmail: "a@example.com",
          triggers: { ...seeded, "comment.add": false, "huddle.join": false },
        }),
      );
    }
  });
});
