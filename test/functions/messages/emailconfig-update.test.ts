import { describe, expect, it } from "vitest";
import { emailconfigUpdate, handler } from "../../../functions/messages/emailconfig-update.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { purposes } from "../../../lib/secrets.ts";
import { settingEntity } from "../../../lib/store/setting.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { call, newWorkspace } from "../../support/call.ts";
import { logText } from "../../support/capture-logs.ts";
import { apiKey, config, external, on, read, stateAfter, unset, update } from "../../support/email.ts";
import { storedOf } from "../../support/refusal.ts";
import { unseal } from "../../support/unsealed.ts";
import { callSource, issuesOf, mocked } from "../../support/workspace.ts";

const endpoint = emailconfigUpdate;

describe("OK", () => {
  it("keeps omitted fields, and merges triggers key by key", async () => {
    const state = await stateAfter(
      config({ ...external, fromEmail: "a@example.com", triggers: { constructor: true, b: true } }),
      { useEmailService: true },
      config({ fromCompany: "Company", apiKey: null, triggers: { b: false, c: true } }),
    );
    const more = {
      fromEmail: "a@example.com",
      fromCompany: "Company",
      triggers: { constructor: true, b: false, c: true },
    };
    expect(state).toEqual({ ...on, emailServiceConfig: { ...unset, ...external, ...more } });
  });

  it("keeps the ids of templates and the batch time, which both may be all that is sent", async () => {
    const templates = { commentTemplateId: "d-4711", tagTemplateId: "d-4712" };
    const state = await stateAfter({ emailBatchSeconds: 0 }, config(templates), config({ tagTemplateId: "" }));
    expect(state).toMatchObject({ emailBatchSeconds: 0, emailServiceConfig: { ...templates, tagTemplateId: "" } });
  });

  it("keeps every field of concurrent updates", async () => {
    const as = await newWorkspace();
    const names = Array.from({ length: 4 }, (_, index) => `event.${index}`);
    await Promise.all([
      ...names.map((name) => update(as, config({ triggers: { [name]: true } }))),
      update(as, config({ fromEmail: "a@example.com" })),
      update(as, config({ apiKey })),
    ]);
    const { emailServiceConfig } = await read(as);
    expect(emailServiceConfig).toMatchObject({ fromEmail: "a@example.com", apiKey });
    expect(emailServiceConfig.triggers).toEqual(Object.fromEntries(names.map((name) => [name, true])));
  });

  it("seals the key for its workspace and purpose; only the reply has the plain text", async () => {
    const as = await newWorkspace();
    await update(as, config(external));
    expect(JSON.stringify(await storedOf(as)) + logText()).not.toContain(apiKey);
    expect(logText()).toContain('"endpoint":"emailconfig-update"');
    const item = await Table.get<{ apiKeySealed: string }>(
      settingEntity.key({ workspace: as.apiKey, setting: "email" }),
    );
    const context = { workspace: as.apiKey, purpose: purposes.emailApiKey };
    expect(await unseal(item?.apiKeySealed as string, context)).toBe(apiKey);
    await expect(unseal(item?.apiKeySealed as string, { ...context, workspace: "another" })).rejects.toThrow();
    expect((await update(as, config({ apiKey: "" }))).emailServiceConfig.apiKey).toBe("");
  });

  it("removes a key when the external service is off, and accepts an address in any script", async () => {
    expect((await stateAfter(config(external), config({ apiKey: "" }))).emailServiceConfig.apiKey).toBe("");
    for (const fromEmail of ["a@b.co", "first.last+tag@sub.example.com", "jorg@münchen.de", ""])
      expect((await stateAfter(config({ fromEmail }))).emailServiceConfig.fromEmail).toBe(fromEmail);
  });
});

describe("INVALID_ARGUMENT", () => {
  const trigger = (name: string) => `emailServiceConfig.triggers.${name}`;
  const manyTriggers = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`t${index}`, true]));
  const bad: [name: string, path: string, data: object][] = [
    ["neither field", "", {}],
    ["null for both", "", { useEmailService: null, emailServiceConfig: null }],
    ...[-1, 3_601, 0.5, "120"].map((emailBatchSeconds): [string, string, object] => [
      `a batch time of ${JSON.stringify(emailBatchSeconds)}`,
      "emailBatchSeconds",
      { emailBatchSeconds },
    ]),
    ...["d-1\r\nx: y", "d 1", "d".repeat(129)].map((tagTemplateId): [string, string, object] => [
      "an id of a template that no provider has",
      "emailServiceConfig.tagTemplateId",
      config({ tagTemplateId }),
    ]),
    ...["SG.a\r\nb: c", "SG.a\n", "SG.\u0000", "SG a", "密钥", "••••••••"].map((key): [string, string, object] => [
      `the key ${JSON.stringify(key)}, which no header can have`,
      "emailServiceConfig.apiKey",
      config({ apiKey: key }),
    ]),
    ["an unknown type", "emailServiceConfig.type", config({ type: "sendmail" })],
    ["a trigger that is not a boolean", trigger("comment.add"), config({ triggers: { "comment.add": "yes" } })],
    ["a trigger that is null", trigger("comment.add"), config({ triggers: { "comment.add": null } })],
    ["triggers of two levels", trigger("comment"), config({ triggers: { comment: { add: true } } })],
    ["an empty trigger name", trigger(""), config({ triggers: { "": true } })],
    ["an invalid trigger name", trigger("a..b"), config({ triggers: { "a..b": true } })],
    ["a trigger name that is too long", trigger("x".repeat(128)), config({ triggers: { ["x".repeat(129)]: true } })],
    ["too many triggers", "emailServiceConfig.triggers", config({ triggers: manyTriggers })],
    [
      "an enabled external service without a key",
      "emailServiceConfig.apiKey",
      { ...on, ...config({ type: "external" }) },
    ],
    ...["a", "a@", "@example.com", "a b@example.com", "a@b", "a@@example.com", "a..b@example.com", "a@-b.com"].map(
      (fromEmail) => badSender(fromEmail),
    ),
    ...["jörg@example.com", "a@example.com\r\nBcc: b@example.com", "A <a@example.com>", `a@${"b.".repeat(130)}com`].map(
      badSender,
    ),
  ];

  function badSender(fromEmail: string): [string, string, object] {
    return [
      `the sender ${JSON.stringify(fromEmail.slice(0, 40))}`,
      "emailServiceConfig.fromEmail",
      config({ fromEmail }),
    ];
  }

  it.each(bad)("is returned for %s, and nothing is stored", async (_, path, data) => {
    const as = await newWorkspace();
    expect(await issuesOf(endpoint, as, data)).toEqual([path]);
    expect(await Table.get(settingEntity.key({ workspace: as.apiKey, setting: "email" }))).toBeUndefined();
  });

  it("is returned for any order of updates that would enable the external service without a key", async () => {
    const sequences: [first: object[], refused: object][] = [
      [[{ ...on, ...config(external) }], config({ apiKey: "" })],
      [[on], config({ type: "external", fromCompany: "B" })],
      [[config({ type: "external" })], { ...on, ...config({ fromCompany: "B" }) }],
    ];
    for (const [first, refused] of sequences) {
      const as = await newWorkspace();
      for (const data of first) await update(as, data);
      const before = await storedOf(as);
      expect(await issuesOf(endpoint, as, refused)).toEqual(["emailServiceConfig.apiKey"]);
      expect(await storedOf(as)).toEqual(before);
    }
  });

  it("is returned when the stored triggers and the new ones are too many together", async () => {
    const as = await newWorkspace();
    const { t500: _, ...most } = manyTriggers;
    await update(as, config({ triggers: most }));
    expect(await issuesOf(endpoint, as, config({ triggers: { t500: true } }))).toEqual(["emailServiceConfig.triggers"]);
    await update(as, config({ triggers: { t1: false } }));
  });

  it("is returned without the API key in the error", async () => {
    const { error } = await call(endpoint, { as: await newWorkspace(), data: config({ ...external, fromEmail: "a" }) });
    expect(JSON.stringify(error)).not.toContain(apiKey);
  });
});

describe("AWS calls", () => {
  it("makes one read, one data key and one conditional update", async () => {
    const aws = mockAws(mocked.rows);
    await callSource(handler, endpoint, { ...on, ...config(external) });
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#email$/),
      "TransactWrite Update W#w SETTING#email if {no revision}, Update W#w SETTING#webhooks",
      "GenerateDataKey",
    ]);
    aws.restore();
  });
});
