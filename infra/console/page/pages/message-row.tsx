import { Attempts } from "../components/attempts.tsx";
import { Changed } from "../components/changed.tsx";
import { Status, Tag } from "../components/status.tsx";
import { Time } from "../components/time.tsx";
import { eventText } from "../format.ts";
import { address } from "../places.ts";
import type { Mail } from "./mails.ts";
import type { NameOf } from "./message-names.ts";
import { Problem } from "./problem.tsx";

export interface Message {
  messageId: string;
  channel: "email" | "slack";
  organizationId: string | null;
  documentId: string | null;
  userId: string | null;
  events: string[];
  createdAt: string;
  state: keyof typeof states;
  attempts: number;
  nextAttemptAt: string | null;
  error: string | null;
}

export const states = {
  waiting: ["busy", "Waiting", "is sent later"],
  sent: ["good", "Sent", "the provider has accepted it"],
  failed: ["bad", "Failed", "the provider has refused it"],
  omitted: ["plain", "Omitted", "the user may not read it or does not want it, or it is gone"],
  digest: ["plain", "In the digest", "the address had too many messages today"],
} as const;

interface MessageRowProps {
  message: Message;
  nameOf: NameOf;
  /** The message as it was sent, if this machine has it. */
  mail: Mail | undefined;
}

/** "Alice mentioned you on Launch plan", to Bob about Launch plan. Without the mail, its events stand for its subject. */
export function MessageRow({ message, nameOf, mail }: MessageRowProps) {
  const { channel, userId, events, createdAt, attempts, error, nextAttemptAt } = message;
  const [tone, state, meaning] = states[message.state];
  const what = userId ? events.map(eventText).join(", ") || "Digest" : "Test mail";
  return (
    <Changed of={message}>
      <span class="fixed" title={meaning}>
        <Status tone={tone}>{state}</Status>
      </span>
      <span class="grow">
        {mail ? (
          <a class="title" href={address("/console/messages", { view: "rendered", mail: mail.id })}>
            {mail.subject || what}
          </a>
        ) : (
          <span class="title">{what}</span>
        )}
        <ToAndAbout message={message} nameOf={nameOf} />
        {error && (
          <span class="block">
            <Problem text={error} />
          </span>
        )}
      </span>
      <Tag>{channel === "email" ? "E-mail" : "Slack"}</Tag>
      <Attempts attempts={attempts} nextAttemptAt={nextAttemptAt} />
      <Time at={createdAt} />
    </Changed>
  );
}

function ToAndAbout({ message: { organizationId, userId, documentId }, nameOf }: Omit<MessageRowProps, "mail">) {
  if (!organizationId || !userId) return null;
  return (
    <span class="block quiet">
      to{" "}
      <a href={address("/console/people", { org: organizationId, user: userId })}>
        {nameOf("user", organizationId, userId)}
      </a>
      {documentId && (
        <>
          {" "}
          about{" "}
          <a href={address("/console/documents", { org: organizationId, document: documentId })}>
            {nameOf("document", organizationId, documentId)}
          </a>
        </>
      )}
    </span>
  );
}
