// Injects faults before or after commands of this process to the real table.
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { vi } from "vitest";

export interface Command {
  constructor: { name: string };
  // biome-ignore lint/suspicious/noExplicitAny: commands differ in their input
  input: any;
}

type Send = (this: unknown, command: Command, ...rest: unknown[]) => Promise<unknown>;
const prototype = DynamoDBDocumentClient.prototype as unknown as { send: Send };
let send = prototype.send;

/** `before` may change or replace a command, `after` its reply; both may throw. Applies until `vi.restoreAllMocks`. */
export function interceptStore(
  before: (command: Command) => unknown,
  after: (command: Command) => unknown = () => {},
): void {
  if (!vi.isMockFunction(prototype.send)) send = prototype.send;
  const intercepted: Send = async function (this: unknown, command, ...rest) {
    await before(command);
    const reply = await send.call(this, command, ...rest);
    await after(command);
    return reply;
  };
  vi.spyOn(prototype, "send").mockImplementation(intercepted);
}
