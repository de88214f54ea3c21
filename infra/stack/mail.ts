// What the deployment itself needs to send e-mail through SES (DECISIONS.md#senders-of-mail). Its configuration set
// reports bounces and complaints to the queue of the worker that takes them.
import { Stack } from "aws-cdk-lib";
import { EventBus, Rule } from "aws-cdk-lib/aws-events";
import { SqsQueue } from "aws-cdk-lib/aws-events-targets";
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { ConfigurationSet, EmailSendingEvent, EventDestination } from "aws-cdk-lib/aws-ses";
import type { Construct } from "constructs";
import { grantActions } from "../../lib/grants.ts";
import { domainOf } from "../../lib/schema/mail-address.ts";
import type { JobQueue } from "./queues.ts";
import type { Settings } from "./settings.ts";

export interface MailSender {
  from: string;
  configurationSetName: string;
  /** The identities of the address and of its domain, and the configuration set. */
  arns: string[];
}

/** Undefined without `emailFrom`. `feedback`: the queue of bounces and complaints. */
export function addMail(
  scope: Construct,
  { emailFrom: from }: Settings,
  feedback: JobQueue | undefined,
): MailSender | undefined {
  if (!from) return undefined;
  // The account's own list of suppressed addresses is for all workspaces, and has no reason for one of them.
  const set = new ConfigurationSet(scope, "mail", { disableSuppressionList: true, reputationMetrics: true });
  if (feedback) addFeedback(scope, set, feedback);
  const { configurationSetName } = set;
  const arn = (resource: string, resourceName: string) =>
    Stack.of(scope).formatArn({ service: "ses", resource, resourceName });
  const identities = [from, domainOf(from)].map((name) => arn("identity", name));
  return { from, configurationSetName, arns: [...identities, arn("configuration-set", configurationSetName)] };
}

/** SES sends events to the account's default bus only. The rule takes those of this configuration set. */
function addFeedback(scope: Construct, set: ConfigurationSet, { queue, deadLetters }: JobQueue): void {
  set.addEventDestination("mail-events", {
    destination: EventDestination.eventBus(EventBus.fromEventBusName(scope, "default-bus", "default")),
    events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
  });
  new Rule(scope, "mail-feedback", {
    description: "Bounces of and complaints about e-mails of this stack.",
    eventPattern: {
      source: ["aws.ses"],
      detailType: ["Email Bounced", "Email Complaint Received"],
      detail: { mail: { tags: { "ses:configuration-set": [set.configurationSetName] } } },
    },
    targets: [new SqsQueue(queue, { deadLetterQueue: deadLetters })],
  });
}

/** Allows sending from the address only, not from others of its domain. */
export function sendingStatement({ from, arns }: MailSender): PolicyStatement {
  return new PolicyStatement({
    effect: Effect.ALLOW,
    actions: [...grantActions["mail:send"]],
    resources: arns,
    conditions: { StringEquals: { "ses:FromAddress": from } },
  });
}
