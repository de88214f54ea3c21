import { GetAccountSettingsCommand } from "@aws-sdk/client-lambda";
import { expect, test } from "vitest";
import {
  created,
  deployed,
  hasExecutions,
  lambda,
  mockGuard,
  own,
  passed,
  runGuard,
  templateOf,
} from "../../support/guard.ts";

mockGuard();

const request = (desired: number) =>
  `Run: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${desired}.`;

test("an account with 10 executions is refused, before the first deployment too, with the command that asks for more", async () => {
  hasExecutions({ ConcurrentExecutions: 10 });
  const refused = { status: 1, stderr: expect.stringContaining("The account can run 10 functions at once") };
  expect(await runGuard({ s: own })).toMatchObject(refused);
  deployed(undefined);
  const { status, stderr } = await runGuard({ s: own }, "--first");
  expect({ status, stderr }).toMatchObject(refused);
  expect(stderr).toContain(request(1_000));
});

test("the workers of the template count, and 20 for calls", async () => {
  const next = templateOf({ workerConcurrency: 7 });
  deployed(next);
  hasExecutions({ ConcurrentExecutions: 26 });
  const { stderr } = await runGuard({ s: next });
  expect(stderr).toContain("The workers take up to 7, and calls need 20 more");
  hasExecutions({ ConcurrentExecutions: 27 });
  expect(await runGuard({ s: next })).toEqual(passed);
});

test("executions that the account has reserved for other functions do not count", async () => {
  hasExecutions({ ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 26 });
  const { stderr } = await runGuard({ s: templateOf({ workerConcurrency: 7 }) });
  expect(stderr).toContain("The account can run 26 functions at once");
  expect(stderr).toContain(request(1_001));
});

test("it passes by an option, when it goes back, and in an account with 1,000", async () => {
  expect(await runGuard({ s: own })).toEqual(passed);
  hasExecutions({ ConcurrentExecutions: 10 });
  expect(await runGuard({ s: own }, "--few-executions")).toEqual(passed);
  expect(await runGuard({ s: own }, "--back")).toEqual(passed);
  deployed(undefined);
  expect(await runGuard({ s: own }, "--first", "--few-executions")).toEqual(created);
});

test("an account that cannot be asked is refused", async () => {
  lambda.on(GetAccountSettingsCommand).rejects(Object.assign(new Error("not allowed"), { name: "AccessDenied" }));
  const { status, stderr } = await runGuard({ s: own });
  expect(status).toBe(1);
  expect(stderr).toContain("The account's concurrent executions cannot be read: AccessDenied: not allowed");
});
