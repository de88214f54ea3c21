// What an activity says in a list.
import { inWords } from "../format.ts";

interface Shown {
  eventType: string;
  displayMessage?: string;
  changes?: Record<string, unknown>;
}

const roles = { viewer: "can now view", editor: "can now edit" };

/** Its own message; else what the event says, such as "Bob can now edit the document plan". */
export function messageOf(
  { eventType, displayMessage, changes = {} }: Shown,
  nameOf: (userId: string) => string,
): string {
  if (displayMessage !== undefined) return displayMessage;
  if (eventType !== "permission.update") return inWords(eventType);
  const { userId, resource, accessRole, before } = changes as Change;
  if (!userId || !resource) return inWords(eventType);
  const [name, where] = [nameOf(userId), `the ${resource.type} ${resource.id}`];
  // Before roles were recorded, there was none.
  if (accessRole === undefined) return `The access of ${name} to ${where} has changed`;
  const former = before && before !== accessRole ? ` (before: ${before})` : "";
  if (accessRole === null) return `The grant of ${name} on ${where} has ended${former}`;
  return `${name} ${roles[accessRole]} ${where}${former}`;
}

interface Change {
  userId?: string;
  resource?: Resource;
  accessRole?: keyof typeof roles | null;
  before?: keyof typeof roles | null;
}

interface Resource {
  type: string;
  id: string;
}
