import { expect, it } from "vitest";
import { dataTable } from "../../../infra/readme/parts.ts";
import { workspacePurgeJob } from "../../../lib/deletion/purge-job.ts";
import { allShards } from "../../../lib/dynamodb/key.ts";
import { messageChannels } from "../../../lib/schema/message-channels.ts";
import { messageShards } from "../../../lib/store/messages/waiting-message.ts";

const shards = "{0-15}";

const channel = "#M#{channel}";

/** The channels of messages and the shards of their queues are fixed. */
const ofEachQueue = (pk: string): string[] =>
  pk.includes(channel)
    ? messageChannels.flatMap((name) =>
        messageShards.map((shard) => pk.replace(channel, `#M#${name}`).replace("{shard}", String(shard))),
      )
    : [pk];

/** The partitions whose keys have no id but the workspace's: no other item leads to them. */
function partitionsOf(workspace: string): Set<string> {
  const keys = [...dataTable().matchAll(/`(W#\{workspace\}[^`]*)`/g)].map(([, pk = ""]) => pk);
  const named = keys.map((pk) => pk.replace("{workspace}", workspace)).flatMap(ofEachQueue);
  const own = named.filter((pk) => !/\{(?!0-15)/.test(pk));
  return new Set(own.flatMap((pk) => allShards.map((shard) => pk.replace(shards, String(shard)))));
}

it("the purge of a workspace has the lists of all entities that only the workspace leads to", () => {
  const { partitions } = workspacePurgeJob("w").payload as { partitions: string[] };
  expect(new Set(partitions), "add or remove a list in lib/deletion/purge-job.ts").toEqual(partitionsOf("w"));
});
