import * as z from "zod/mini";
import { requireDocument } from "../../lib/features/find-document.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { type ListedMessage, listMessages } from "../../lib/messages/list-messages.ts";
import { emailProblem, slackProblem } from "../../lib/messages/problems.ts";
import { type MessageChannel, messageChannels } from "../../lib/schema/message-channels.ts";
import { ChannelState, MessageEntry, MessageFilters } from "../../lib/schema/message-list.ts";
import { mustBeInOrder, timeOf } from "../../lib/schema/moment.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { whenValid } from "../../lib/schema/when-valid.ts";
import { documentsByUid } from "../../lib/store/content/document-by-uid.ts";
import * as Pause from "../../lib/store/messages/channel-pause.ts";
import { digestUid } from "../../lib/store/messages/waiting-message.ts";
import type { WorkspaceRef } from "../../lib/store/refs.ts";
import * as Setting from "../../lib/store/setting.ts";

export const messagesGet = endpoint({
  name: "messages-get",
  path: "/v2/workspace/messages/get",
  summary: "List messages",
  description:
    "List the e-mails and Slack messages of the last 30 days, without their texts: first those that wait for their first attempt, then the others, newest first. The first page also says whether the channels send.",
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: z.object({ ...MessageFilters, ...pageRequest }).check(
    mustBeInOrder,
    z.refine(
      ({ organizationId, userId, documentId }) => organizationId !== undefined || (userId ?? documentId) === undefined,
      {
        error: "Must be given with userId or documentId.",
        path: ["organizationId"],
        when: whenValid("organizationId", "userId", "documentId"),
      },
    ),
  ),
  example: { channel: "email", pageSize: 20 },
  reply: z.object({
    messages: z.array(MessageEntry).check(z.describe("The messages of this page.")),
    channels: z.optional(z.array(ChannelState).check(z.describe("Only with the first page."))),
    ...pageReply,
  }),
  message: "Messages retrieved.",

  async handle({ data, caller }) {
    const { channel, state, organizationId, userId, documentId, after, before } = data;
    const selection = [channel, state, organizationId, userId, documentId, after, before].map((each) => each ?? null);
    const list = listing(caller, ["messages", JSON.stringify(selection)], data);
    const ref = { workspace: caller.workspace };
    const filters = {
      ...{ channel, state, organizationId },
      ...(organizationId !== undefined && userId !== undefined && { user: { ...ref, organizationId, userId } }),
      ...(documentId !== undefined && {
        documentUid: (await requireDocument(ref, { organizationId, documentId })).documentUid,
      }),
      ...(after !== undefined && { after: timeOf(after) }),
      ...(before !== undefined && { before: timeOf(before) }),
    };
    const isFirst = !data.pageToken;
    const [page, channels] = await Promise.all([
      listMessages(ref, filters, list.size, list.from),
      isFirst ? channelStates(ref, channel ? [channel] : messageChannels) : undefined,
    ]);
    const messages = await shownMessages(ref, page.items);
    return { messages, ...(channels && { channels }), nextPageToken: list.tokenFor(page.next) };
  },
});
export const handler = readLambda(messagesGet);

/** Whether the channels of a workspace send now, and if not, why. */
async function channelStates(ref: WorkspaceRef, channels: readonly MessageChannel[]): Promise<ChannelState[]> {
  return Promise.all(channels.map((channel) => stateOf(ref, channel)));
}

async function stateOf({ workspace }: WorkspaceRef, channel: MessageChannel): Promise<ChannelState> {
  const [problem, pause] = await Promise.all([problemOf({ workspace }, channel), Pause.get({ workspace, channel })]);
  if (problem !== undefined) return { channel, isSending: false, problem, pausedUntil: null };
  if (!pause || pause.until <= Date.now())
    return { channel, isSending: true, problem: pause?.error ?? null, pausedUntil: null };
  return { channel, isSending: false, problem: pause.error, pausedUntil: new Date(pause.until).toISOString() };
}

const problemOf = async (ref: WorkspaceRef, channel: MessageChannel) =>
  channel === "email" ? emailProblem(await Setting.get(ref, "email")) : slackProblem(await Setting.get(ref, "slack"));

/** Messages as a reply shows them, with the present ids of their documents. */
async function shownMessages(ref: WorkspaceRef, messages: readonly ListedMessage[]): Promise<MessageEntry[]> {
  const uids = messages.map(({ documentUid }) => documentUid).filter((uid) => uid !== digestUid && uid !== "");
  const documents = await documentsByUid(ref, uids);
  return messages.map((message) => ({
    messageId: message.messageId,
    channel: message.channel,
    organizationId: message.organizationId || null,
    documentId: documents.get(message.documentUid)?.documentId ?? null,
    userId: message.userId || null,
    events: message.events,
    createdAt: message.createdAt,
    state: message.state,
    attempts: message.attempts,
    lastAttemptAt: message.lastAttemptAt ?? null,
    nextAttemptAt: message.nextAttemptAt ?? null,
    error: message.error ?? null,
    causedBy: message.causedBy ?? null,
  }));
}
