// The first enabling of the email service (DECISIONS.md#first-enabling-of-email), for each order of updates.
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
    ["when the flag is set", [on], enabled],
    ["when the type is set to custom", [config({ type: "custom" })], enabled],
    ["when flag and type are set together", [{ ...on, ...config({ type: "custom" }) }], enabled],
    ["when the request has an empty set of triggers", [{ ...on, ...config({ triggers: {} }) }], enabled],
    [
      "except triggers of the request",
      [{ ...on, ...config({ triggers: off }) }],
      withConfig({ triggers: { ...seeded, ...off } }),
    ],
    [
      "and adds other triggers of the request",
      [{ ...on, ...config({ triggers: { "a.b": true } }) }],
      withConfig({ triggers: { ...seeded, "a.b": true } }),
    ],
    [
      "except the type when the request has one",
      [{ ...on, ...config({ type: "default" }) }],
      withConfig({ type: "default" }),
    ],
    [
      "except the flag when the request has one",
      [{ useEmailService: false, ...config({ type: "custom" }) }],
      { ...enabled, useEmailService: false },
    ],
    [
      "except the type when the request has an external one with its key",
      [{ ...on, ...config(external) }],
      withConfig(external),
    ],
    ["and keeps a stored sender", [config(sender), on], withConfig(sender)],
    ["and keeps a stored type and key", [config(external), on], withConfig(external)],
    ["when the service was stored as off", [{ useEmailService: false }, config({ type: "custom" })], enabled],
    ["when the stored triggers are empty", [config({ triggers: {} }), on], enabled],
    [
      "once: not again when the flag is sent again",
      [on, config({ triggers: off }), on],
      withConfig({ triggers: { ...seeded, ...off } }),
    ],
    [
      "once: not again when the type is set later",
      [on, { useEmailService: false, ...config({ triggers: off }) }, config({ type: "custom" })],
      { ...withConfig({ triggers: { ...seeded, ...off } }), useEmailService: false },
    ],
    [
      "only when no triggers are stored",
      [config({ triggers: off }), on],
      { ...on, emailServiceConfig: { ...unset, triggers: off } },
    ],
  ];

  it.each(orders)("seeds the defaults %s", async (_, updates, state) => {
    expect(await stateAfter(...updates)).toEqual(state);
  });

  it.each([
    ["a flag that is off", { useEmailService: false }],
    ["the type default", config({ type: "default" })],
    ["the type external", config(external)],
    ["a sender", config(sender)],
    ["an empty configuration", config({})],
  ])("seeds nothing for %s", async (_, data) => {
    const { useEmailService, emailServiceConfig } = await stateAfter(data);
    expect(useEmailService).toBe(false);
    expect(emailServiceConfig.triggers).toEqual({});
  });

  it("seeds the defaults once for two concurrent updates, and keeps the fields of both", async () => {
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
