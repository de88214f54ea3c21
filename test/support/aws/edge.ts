// Intercepts every command that this process sends to AWS, before it reaches the local engines.
import { AsyncLocalStorage } from "node:async_hooks";
import { KMSClient } from "@aws-sdk/client-kms";
import { S3Client } from "@aws-sdk/client-s3";
import { SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { vi } from "vitest";
import { aside } from "../exact/containers.ts";

export interface AwsCommand {
  constructor: { name: string };
  input: Record<string, unknown>;
}

const inPass = new AsyncLocalStorage<true>();

/**
 * `pass` decides whether and when each call is made. The calls that it makes itself are those of other processes, and
 * are not intercepted. Applies until `vi.restoreAllMocks`.
 */
export function atAwsEdge(pass: (command: AwsCommand, call: () => Promise<unknown>) => Promise<unknown>): void {
  for (const client of [DynamoDBDocumentClient, KMSClient, S3Client, SQSClient]) {
    const prototype = client.prototype as unknown as { send(...args: unknown[]): Promise<unknown> };
    const send = prototype.send;
    vi.spyOn(prototype, "send").mockImplementation(function (this: unknown, ...args) {
      const made = () => send.apply(this, args);
      if (inPass.getStore()) return made();
      return inPass.run(true, () => aside((resume) => pass(args[0] as AwsCommand, () => resume(made))));
    });
  }
}

/**
 * Simulates that the process dies after `at` calls to AWS. The returned function says whether it tried a further one.
 */
export function dieBeforeCall(at: number): () => boolean {
  let calls = 0;
  atAwsEdge(async (_, call) => {
    if (calls++ >= at) throw Object.assign(new Error("The process was killed."), { name: "ProcessKilled" });
    return call();
  });
  return () => calls > at;
}
