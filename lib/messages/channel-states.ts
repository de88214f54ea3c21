// Whether the channels of a workspace send now, and else why not.
import type { MessageChannel } from "../schema/message-channels.ts";
import type { ChannelState } from "../schema/message-list.ts";
import * as Pause from "../store/messages/channel-pause.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import * as Setting from "../store/setting.ts";
import { emailProblem, slackProblem } from "./problems.ts";

export async function channelStates(ref: WorkspaceRef, channels: readonly MessageChannel[]): Promise<ChannelState[]> {
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
