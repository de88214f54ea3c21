// Injects faults before or after commands of this process to the real table.
import { AsyncLocalStorage } from "node:async_hooks";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { vi } from "vitest";
import { aside } from "../exact/containers.ts";

export interface Command {
  constructor: { name: string };
  // biome-ignore lint/suspicious/noExplicitAny: commands differ in their input
  input: any;
}

type Send = (this: unknown, command: Command, ...rest: unknown[]) => Promise<unknown>;
const prototype = DynamoDBDocumentClient.prototype as unknown as { send: Send };
let send = prototype.send;

const inHook = new AsyncLocalStorage<true>();

/**
 * `before` may change or replace a command, `after` its reply; both may throw. The commands that they send themselves
 * are not intercepted. Applies until `vi.restoreAllMocks`.
 */
export function interceptStore(
  before: (command: Command) => unknown,
  after: (command: Command) => unknown = () => {},
): void {
  if (!vi.isMockFunction(prototype.send)) send = prototype.send;
  const intercepted: Send = async function (this: unknown, command, ...rest) {
    if (inHook.getStore()) return send.call(this, command, ...rest);
    await inHook.run(true, () => aside(async () => before(command)));
    const reply = await send.call(this, command, ...rest);
    await inHook.run(true, () => aside(async () => after(command)));
    return reply;
  };
  vi.spyOn(prototype, "send").mockImplementation(intercepted);
}
