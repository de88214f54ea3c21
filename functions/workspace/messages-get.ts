import * as z from "zod/mini";
import { notFound } from "../../lib/errors.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { channelStates } from "../../lib/messages/channel-states.ts";
import { listMessages } from "../../lib/messages/list-messages.ts";
import { shownMessages } from "../../lib/messages/shown-messages.ts";
import { messageChannels } from "../../lib/schema/message-channels.ts";
import { ChannelState, MessageEntry, MessageFilters } from "../../lib/schema/message-list.ts";
import { mustBeInOrder, timeOf } from "../../lib/schema/moment.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { whenValid } from "../../lib/schema/when-valid.ts";
import * as Document from "../../lib/store/content/document.ts";
import type { WorkspaceRef } from "../../lib/store/refs.ts";

export const messagesGet = endpoint({
  name: "messages-get",
  path: "/v2/workspace/messages/get",
  group: "workspace",
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
    messages: z.array(MessageEntry),
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
      ...(documentId !== undefined && { documentUid: await uidOf(ref, organizationId ?? "", documentId) }),
      ...(after !== undefined && { after: timeOf(after) }),
      ...(before !== undefined && { before: timeOf(before) }),
    };
    const isFirst = data.pageToken === undefined;
    const [page, channels] = await Promise.all([
      listMessages(ref, filters, list.size, list.from),
      isFirst ? channelStates(ref, channel ? [channel] : messageChannels) : undefined,
    ]);
    const messages = await shownMessages(ref, page.items);
    return { messages, ...(channels && { channels }), nextPageToken: list.tokenFor(page.next) };
  },
});
export const handler = readLambda(messagesGet);

async function uidOf({ workspace }: WorkspaceRef, organizationId: string, documentId: string) {
  const document = await Document.get({ workspace, organizationId, documentId });
  if (!document) throw notFound("document");
  return document.documentUid;
}
