// Removes users from messages that wait. The messages of others about them stay, since their texts are read when they
// are sent.
import { erasedUserId } from "../deletion/redact.ts";
import type { Item } from "../dynamodb/key.ts";
import type { WaitingMessage } from "../store/messages/waiting-message.ts";
import type { Context, Step } from "./context.ts";
import { commitCounted, removeCounted } from "./counted.ts";

type QueuedItem = Item & Pick<WaitingMessage, "organizationId" | "userId" | "actorId">;

export async function eraseFromMessages(context: Context, items: readonly Item[]): Promise<Step[]> {
  const { users, organizationId } = context;
  const about = (items as QueuedItem[]).filter(
    (item) => organizationId === undefined || item.organizationId === organizationId,
  );
  const own = about.filter(({ userId }) => users.has(userId));
  await removeCounted(context, own);
  const caused = about.filter((item) => !own.includes(item) && users.has(item.actorId ?? ""));
  const units = caused.map((item) => ({ item, writes: [withoutActor(item)] }));
  await commitCounted(context, "redacted", units);
  return [];
}

const withoutActor = ({ pk, sk, actorId }: QueuedItem) => ({
  update: { pk, sk },
  set: { actorId: erasedUserId },
  if: { actorId },
});
