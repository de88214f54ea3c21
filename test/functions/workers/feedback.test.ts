import { beforeEach, describe, expect, it, vi } from "vitest";
import { feedback, handler } from "../../../functions/workers/feedback.ts";
import { startSes } from "../../../infra/local/ses.ts";
import { suppressionOf } from "../../../lib/store/messages/suppression.ts";
import { contextOf, newWorkspace } from "../../support/call.ts";
import { inContainer } from "../../support/exact/containers.ts";
import { allItems } from "../../support/scan.ts";

const logged: string[] = [];

beforeEach(() => {
  logged.length = 0;
  vi.spyOn(process.stdout, "write").mockImplementation((text) => logged.push(String(text)) > 0);
  return () => vi.restoreAllMocks();
});

let count = 0;
const newAddress = () => `Someone-${count++}-${Date.now()}@example.org`;
const at = "2026-01-02T03:04:05.000Z";

const bounce = (address: string, more: object = {}) => ({
  source: "aws.ses",
  "detail-type": "Email Bounced",
  detail: {
    eventType: "Bounce",
    bounce: {
      bounceType: "Permanent",
      bounceSubType: "General",
      bouncedRecipients: [{ emailAddress: address, diagnosticCode: `smtp; 550 no ${address}` }],
      timestamp: at,
      ...more,
    },
    mail: { tags: { workspace: ["any"] } },
  },
});

const complaint = (workspace: string, emailAddress: string) => ({
  source: "aws.ses",
  detail: {
    eventType: "Complaint",
    complaint: { complainedRecipients: [{ emailAddress }], timestamp: at, complaintFeedbackType: "abuse" },
    mail: { tags: { workspace: [workspace] } },
  },
});

async function deliver(...bodies: string[]): Promise<string[]> {
  const Records = bodies.map((body, index) => ({ messageId: String(index), body }));
  const reply = await inContainer(feedback, () => handler({ Records } as never, contextOf("feedback") as never));
  return reply.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

describe("a permanent bounce", () => {
  it("ends mail to the address for all workspaces, in each spelling", async () => {
    const [one, other] = [await newWorkspace(), await newWorkspace()];
    const address = newAddress();
    expect(await deliver(JSON.stringify(bounce(address)), JSON.stringify(bounce(address)))).toEqual([]);
    for (const { apiKey: workspace } of [one, other]) {
      for (const spelling of [address, address.toUpperCase()])
        expect(await suppressionOf({ workspace }, spelling)).toEqual({ reason: "bounce", at, detail: "General" });
    }
    expect(await suppressionOf({ workspace: one.apiKey }, `x${address}`)).toBeUndefined();
  });

  it("is neither stored nor logged with the address", async () => {
    const address = newAddress();
    await feedback.take(bounce(`Some One <${address}>`));
    expect(await suppressionOf({ workspace: "any" }, address)).toBeDefined();
    expect(JSON.stringify(await allItems()) + logged.join("")).not.toContain(address);
  });

  it("that is only for a while ends nothing", async () => {
    const address = newAddress();
    await feedback.take(bounce(address, { bounceType: "Transient", bounceSubType: "MailboxFull" }));
    expect(await suppressionOf({ workspace: "any" }, address)).toBeUndefined();
  });
});

describe("a complaint", () => {
  it("ends mail to the address for its workspace only", async () => {
    const [{ apiKey: workspace }, other] = [await newWorkspace(), await newWorkspace()];
    const address = newAddress();
    expect(await deliver(JSON.stringify(complaint(workspace, address)))).toEqual([]);
    expect(await suppressionOf({ workspace }, address)).toEqual({ reason: "complaint", at, detail: "abuse" });
    expect(await suppressionOf({ workspace: other.apiKey }, address)).toBeUndefined();
  });

  it("about a workspace that does not exist leaves nothing", async () => {
    const workspace = `ws_${Date.now()}`;
    await feedback.take(complaint(workspace, newAddress()));
    expect(JSON.stringify(await allItems())).not.toContain(workspace);
  });
});

it("each address that has ended is counted, and a bounce that passes is not", async () => {
  const { apiKey: workspace } = await newWorkspace();
  const passing = bounce(newAddress(), { bounceType: "Transient", bounceSubType: "MailboxFull" });
  const events = [bounce(newAddress()), complaint(workspace, newAddress()), passing];
  await deliver(...events.map((event) => JSON.stringify(event)));
  const lines = logged.map((line) => JSON.parse(line)).filter(({ message }) => message === "event");
  expect(lines.map(({ endedAddresses }) => endedAddresses).sort()).toEqual([1, 1, undefined]);
});

describe("events", () => {
  it("of deliveries are ignored", async () => {
    expect(await deliver(JSON.stringify({ source: "aws.ses", detail: { eventType: "Delivery" } }))).toEqual([]);
  });

  it("that are not understood come again, and at last are dead letters; the others are taken", async () => {
    const [{ apiKey: workspace }, address] = [await newWorkspace(), newAddress()];
    const secret = "secret@example.org";
    const bad = [
      secret,
      "null",
      "{}",
      JSON.stringify({ source: "other", detail: {} }),
      JSON.stringify(bounce(secret, { timestamp: "soon" })),
      JSON.stringify(bounce("")),
      JSON.stringify({ source: "aws.ses", detail: { ...complaint("w", secret).detail, mail: {} } }),
    ];
    expect(await deliver(...bad, JSON.stringify(complaint(workspace, address)))).toEqual(
      bad.map((_, at) => String(at)),
    );
    expect(await suppressionOf({ workspace }, address)).toBeDefined();
    expect(logged.join("")).not.toContain(secret);
  });

  it("of the local stand-in are understood", async () => {
    const { apiKey: workspace } = await newWorkspace();
    const events: object[] = [];
    const from = "updates@example.com";
    const onFeedback = (event: object) => void events.push(event);
    const ses = await startSes({ identities: [from], configurationSets: ["set"], onFeedback });
    const raw = Buffer.from(`From: ${from}\r\nSubject: S\r\n\r\nText`).toString("base64");
    const [complained, bounced] = ["complaint", "bounce"].map((name) => `${name}+${workspace}@simulator.amazonses.com`);
    for (const to of [complained, bounced, "success@simulator.amazonses.com"]) {
      const body = JSON.stringify({
        FromEmailAddress: from,
        Destination: { ToAddresses: [to] },
        Content: { Raw: { Data: raw } },
        EmailTags: [{ Name: "workspace", Value: workspace }],
        ConfigurationSetName: "set",
      });
      expect((await fetch(`${ses.endpoint}/v2/email/outbound-emails`, { method: "POST", body })).status).toBe(200);
    }
    await ses.close();
    expect(await deliver(...events.map((event) => JSON.stringify(event)))).toEqual([]);
    expect((await suppressionOf({ workspace }, complained as string))?.reason).toBe("complaint");
    expect((await suppressionOf({ workspace }, bounced as string))?.reason).toBe("bounce");
  });
});
