// The edge to AWS under a handler's source: every command of this process passes here on its way to the local engines.
import { KMSClient } from "@aws-sdk/client-kms";
import { SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { vi } from "vitest";

export interface AwsCommand {
  constructor: { name: string };
  input: Record<string, unknown>;
}

/** `pass` makes the call when it likes, if at all. Until `vi.restoreAllMocks`. */
export function atAwsEdge(pass: (command: AwsCommand, call: () => Promise<unknown>) => Promise<unknown>): void {
  for (const client of [DynamoDBDocumentClient, KMSClient, SQSClient]) {
    const prototype = client.prototype as unknown as { send(...args: unknown[]): Promise<unknown> };
    const send = prototype.send;
    vi.spyOn(prototype, "send").mockImplementation(function (this: unknown, ...args) {
      return pass(args[0] as AwsCommand, () => send.apply(this, args));
    });
  }
}

/** The process dies at its `at`-th call to AWS, before that is made or before its answer comes. Tells whether it got there. */
export function dieAtCall(at: number, when: "before" | "after"): () => boolean {
  let calls = 0;
  atAwsEdge(async (_, call) => {
    const index = calls++;
    if (index === at && when === "after") await call();
    if (index >= at) throw Object.assign(new Error("The process is gone."), { name: "ProcessGone" });
    return call();
  });
  return () => calls > at;
}
