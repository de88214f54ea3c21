// The events that SES sends to EventBridge about messages to its mailbox simulator.
import { randomUUID } from "node:crypto";
import type { AcceptedMail } from "./ses-checks.ts";

const simulator = "simulator.amazonses.com";

interface Simulated {
  "detail-type": string;
  detail: object;
}

/** What the simulator's addresses do. Each takes a label: `bounce+anything@…`. */
const simulated: Readonly<Record<string, (address: string, at: string) => Simulated>> = {
  bounce: (emailAddress, at) => ({ "detail-type": "Email Bounced", detail: bounced(emailAddress, at, "General") }),
  suppressionlist: (emailAddress, at) => ({
    "detail-type": "Email Bounced",
    detail: bounced(emailAddress, at, "OnAccountSuppressionList"),
  }),
  complaint: (emailAddress, at) => ({
    "detail-type": "Email Complaint Received",
    detail: {
      eventType: "Complaint",
      complaint: {
        complainedRecipients: [{ emailAddress }],
        timestamp: at,
        feedbackId: randomUUID(),
        complaintFeedbackType: "abuse",
        userAgent: "Amazon SES Mailbox Simulator",
      },
    },
  }),
};

function bounced(emailAddress: string, timestamp: string, bounceSubType: string): object {
  const diagnosticCode = "smtp; 550 5.1.1 user unknown";
  const recipient = { emailAddress, action: "failed", status: "5.1.1", diagnosticCode };
  const bounce = { bounceType: "Permanent", bounceSubType, bouncedRecipients: [recipient], timestamp };
  return { eventType: "Bounce", bounce: { ...bounce, feedbackId: randomUUID() } };
}

/** One event for each recipient that is an address of the simulator. */
export function feedbackOn({ from, to, tags }: AcceptedMail, messageId: string): object[] {
  const time = new Date().toISOString();
  return to.flatMap((address) => {
    const [, name = "", domain] = /^([^+@]+)(?:\+[^@]*)?@(.+)$/.exec(address.toLowerCase()) ?? [];
    const event = domain === simulator ? simulated[name]?.(address, time) : undefined;
    if (!event) return [];
    const mail = { timestamp: time, source: from, sendingAccountId: "000000000000", messageId, destination: to, tags };
    const ids = { version: "0", id: randomUUID(), source: "aws.ses", account: "000000000000", region: "us-east-1" };
    return [{ ...ids, ...event, time, resources: [], detail: { ...event.detail, mail } }];
  });
}
