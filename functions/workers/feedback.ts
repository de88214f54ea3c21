import * as z from "zod/mini";
import { measure } from "../../lib/call.ts";
import { eventLambda, eventWorker } from "../../lib/jobs/worker-lambda.ts";
import { log } from "../../lib/log.ts";
import * as Suppression from "../../lib/store/messages/suppression.ts";
import type { WorkspaceRef } from "../../lib/store/refs.ts";
import * as Workspace from "../../lib/store/workspace.ts";

/** Reports of SES about mail that it has sent (DECISIONS.md#suppressed-addresses). */
export const feedback = eventWorker({
  name: "feedback",
  queue: "feedback",
  summary: "Takes bounces and complaints of SES, and ends mail to their addresses.",
  grants: ["table:read", "table:write", "key:seal:address-hash", "key:unseal:address-hash"],

  take: takeFeedback,
});
export const handler = eventLambda(feedback);

const Recipients = z.array(z.object({ emailAddress: z.string().check(z.minLength(1)) })).check(z.minLength(1));
const Timestamp = z.iso.datetime({ offset: true });
/** SES's words, such as `OnAccountSuppressionList`. */
const Word = z.catch(z.optional(z.string().check(z.regex(/^[A-Za-z-]{1,64}$/))), undefined);

const Bounce = z.object({
  bounceType: z.string(),
  bounceSubType: Word,
  bouncedRecipients: Recipients,
  timestamp: Timestamp,
});
const Complaint = z.object({ complaintFeedbackType: Word, complainedRecipients: Recipients, timestamp: Timestamp });

/** The part of an event of EventBridge that the worker reads. */
const Event = z.object({
  source: z.literal("aws.ses"),
  detail: z.discriminatedUnion("eventType", [
    z.object({ eventType: z.literal("Bounce"), bounce: Bounce }),
    z.object({
      eventType: z.literal("Complaint"),
      complaint: Complaint,
      mail: z.object({ tags: z.object({ workspace: z.tuple([z.string()]) }) }),
    }),
    z.object({ eventType: z.enum(["Send", "Delivery", "Open", "Click", "DeliveryDelay", "Reject", "Subscription"]) }),
  ]),
});

/** Throws for an event that is not understood: it becomes a dead letter, and an operator looks at it. */
async function takeFeedback(event: unknown): Promise<void> {
  const { data } = Event.safeParse(event);
  // Zod's error would quote the event.
  if (!data) throw new Error("The event is not one of SES that this version understands.");
  const { detail } = data;
  if (detail.eventType === "Bounce") await takeBounce(detail.bounce);
  if (detail.eventType === "Complaint") await takeComplaint(detail.mail.tags.workspace[0], detail.complaint);
}

/** A bounce that is not permanent, for example of a full mailbox, changes nothing. */
async function takeBounce({ bounceType, bounceSubType, bouncedRecipients, timestamp }: z.output<typeof Bounce>) {
  const isPermanent = bounceType === "Permanent";
  log("info", "An e-mail bounced.", { isPermanent, detail: bounceSubType });
  if (!isPermanent) return;
  for (const { emailAddress } of bouncedRecipients) await end(undefined, emailAddress, timestamp, bounceSubType);
}

async function takeComplaint(workspace: string, complaint: z.output<typeof Complaint>): Promise<void> {
  const { complainedRecipients, complaintFeedbackType, timestamp } = complaint;
  log("info", "A user complained about an e-mail.", { workspace, detail: complaintFeedbackType });
  if (!(await Workspace.get({ workspace }))) return;
  for (const { emailAddress } of complainedRecipients)
    await end({ workspace }, emailAddress, timestamp, complaintFeedbackType);
}

async function end(ref: WorkspaceRef | undefined, address: string, at: string, detail: string | undefined) {
  await Suppression.suppress(ref, plain(address), at, detail);
  measure("endedAddresses", 1);
}

/** Some receivers report an address with a name. */
const plain = (address: string) => /<([^<>]+)>\s*$/.exec(address)?.[1] ?? address;
