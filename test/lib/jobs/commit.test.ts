import { PutCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { BusyError } from "../../../lib/dynamodb/busy.ts";
import { conflict, retryOnConflict } from "../../../lib/dynamodb/retry-on-conflict.ts";
import type { Write } from "../../../lib/dynamodb/write.ts";
import { commit, commitEach } from "../../../lib/jobs/commit.ts";
import { newJob } from "../../../lib/store/job.ts";
import { mockDynamo } from "../../support/aws/mock-dynamo.ts";

const dynamo = mockDynamo();
const put = (sk: string, more: object = {}): Write => ({ put: { pk: "p", sk, ...more }, if: "absent" });
const units = (count: number, writesEach = 1, more: object = {}) =>
  Array.from({ length: count }, (_, unit) => ({
    name: String(unit),
    writes: Array.from({ length: writesEach }, (_, index) => put(`${unit} ${index}`, more)),
  }));

const cancelled = (...codes: string[]) =>
  Object.assign(new Error("cancelled"), {
    name: "TransactionCanceledException",
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
const sent = () => dynamo.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input);
const itemsOf = (input: ReturnType<typeof sent>[number]) => input.TransactItems?.map(({ Put }) => Put?.Item) ?? [];

beforeEach(() => {
  dynamo.on(TransactWriteCommand).resolves({});
  dynamo.on(PutCommand).resolves({});
});

describe("retries", () => {
  it.each(["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"])(
    "repeat a transaction that is cancelled because of %s",
    async (code) => {
      dynamo
        .on(TransactWriteCommand)
        .rejectsOnce(cancelled("None", code))
        .rejectsOnce(cancelled(code, code))
        .resolves({});
      expect(await commit([put("a"), put("b")])).toBe(true);
      expect(sent()).toHaveLength(3);
      expect(Math.random).toHaveBeenCalledTimes(2);
    },
  );

  it("have the token of the first attempt, so a retry after a lost reply changes nothing", async () => {
    const inProgress = Object.assign(new Error(), { name: "TransactionInProgressException" });
    dynamo.on(TransactWriteCommand).rejectsOnce(inProgress).resolves({});
    expect(await commit([put("a")], { jobs: [newJob("purge", "w", {})] })).toBe(true);
    const [first, second] = sent();
    expect(first?.ClientRequestToken).toMatch(/^[\w-]{36}$/);
    expect(second).toEqual(first);
  });

  it("end with an error that names the reason", async () => {
    dynamo.on(TransactWriteCommand).rejects(cancelled("TransactionConflict"));
    await expect(commit([put("a")])).rejects.toThrow("TransactionConflict");
    expect(sent().length).toBeLessThan(12);
  });

  it("are continued by a read-modify-write when nothing was written", async () => {
    let refusals = 0;
    dynamo.on(TransactWriteCommand).callsFake(() => {
      if (refusals++ < 9) throw cancelled("TransactionConflict");
      return {};
    });
    const attempt = vi.fn(async () => (await commit([put("a")])) || conflict);
    expect(await retryOnConflict("item", attempt)).toBe(true);
    expect(attempt).toHaveBeenCalledTimes(2);
  });

  it("are not continued by a read-modify-write when some units were written", async () => {
    dynamo.on(TransactWriteCommand).callsFake(({ TransactItems }) => {
      if (JSON.stringify(TransactItems).includes('"30 0"')) throw cancelled("TransactionConflict");
      return {};
    });
    const attempt = vi.fn(async () => commitEach(units(31, 2)));
    await expect(retryOnConflict("items", attempt)).rejects.toThrow("TransactionConflict");
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it.each(["TransactionConflictException", "TransactionInProgressException"])(
    "end with a ConflictError after %s, which says whether nothing was written",
    async (name) => {
      dynamo.on(TransactWriteCommand).rejects(Object.assign(new Error(), { name }));
      const isUnwritten = name === "TransactionConflictException";
      await expect(commit([put("a")])).rejects.toMatchObject({ name: "ConflictError", isUnwritten });
    },
  );

  it.each(["ThrottlingError", "ProvisionedThroughputExceeded"])("end with a BusyError after %s", async (code) => {
    dynamo.on(TransactWriteCommand).rejects(cancelled("None", code));
    await expect(commit([put("a"), put("b")])).rejects.toBeInstanceOf(BusyError);
    expect(sent()).toHaveLength(9);
  });

  it("are not made for a lasting reason, which the error names", async () => {
    dynamo.on(TransactWriteCommand).rejects(cancelled("None", "ValidationError"));
    await expect(commit([put("a"), put("b")])).rejects.toThrow("cancelled: None, ValidationError");
    expect(sent()).toHaveLength(1);
  });

  it("are not made for any other error, which is thrown unchanged", async () => {
    dynamo.on(TransactWriteCommand).rejects(new TypeError("no such thing"));
    await expect(commit([put("a")])).rejects.toThrow("no such thing");
    expect(sent()).toHaveLength(1);
  });
});

describe("failed conditions", () => {
  it("are reported for each unit, and the other units are retried with their own consequences", async () => {
    dynamo
      .on(TransactWriteCommand)
      .rejectsOnce(cancelled("None", "ConditionalCheckFailed", "TransactionConflict", "None"))
      .resolves({});
    const consequences = vi.fn((done: { name: string }[]) => ({
      jobs: [newJob("purge", "w", { names: done.map(({ name }) => name) })],
    }));
    expect(await commitEach(units(3), consequences)).toEqual([true, false, true]);
    const [first, second] = sent();
    expect(second?.ClientRequestToken).not.toBe(first?.ClientRequestToken);
    expect(itemsOf(second as never).map((item) => item?.sk)).toEqual(["0 0", "2 0", "JOB"]);
    expect(itemsOf(second as never).at(-1)?.payload).toEqual({ names: ["0", "2"] });
  });

  it("of one write fail the whole unit without a retry", async () => {
    dynamo.on(TransactWriteCommand).rejects(cancelled("None", "ConditionalCheckFailed"));
    expect(await commit([put("a"), put("b")])).toBe(false);
    expect(sent()).toHaveLength(1);
  });
});

describe("limits", () => {
  const withJobAndOutbox = () => ({ jobs: [newJob("purge", "w", {}), newJob("fanout", "w", {})] });

  it.each([1, 2, 3, 7, 40])(
    "allow 100 writes per transaction, jobs included, and never divide a unit of %i writes",
    async (size) => {
      expect(await commitEach(units(100, size), withJobAndOutbox)).toEqual(Array(100).fill(true));
      for (const input of sent()) {
        const items = itemsOf(input).filter((item) => item?.sk !== "JOB");
        expect(input.TransactItems?.length).toBeLessThanOrEqual(100);
        expect(items.length % size).toBe(0);
      }
      expect(
        sent()
          .flatMap(itemsOf)
          .filter((item) => item?.sk !== "JOB"),
      ).toHaveLength(100 * size);
    },
  );

  it("put a unit of 92 writes into a transaction of its own, with its eight outbox items", async () => {
    const eight = () => ({ jobs: Array.from({ length: 8 }, () => newJob("fanout", "w", {})) });
    expect(await commitEach(units(3, 92), eight)).toEqual([true, true, true]);
    expect(sent().map((input) => input.TransactItems?.length)).toEqual([100, 100, 100]);
  });

  it("refuse a unit that does not fit with its jobs, before anything of it is sent", async () => {
    const eight = () => ({ jobs: Array.from({ length: 8 }, () => newJob("fanout", "w", {})) });
    await expect(commitEach(units(1, 93), eight)).rejects.toThrow("One unit has 101 writes, with its jobs.");
    expect(sent()).toEqual([]);
  });

  it("put units with large events into separate transactions", async () => {
    await commitEach(units(6).map((unit) => ({ ...unit, eventCharacters: 250_000 })));
    expect(sent().map((input) => input.TransactItems?.length)).toEqual([2, 2, 2]);
  });

  it.each(["a", "é", "語", "🦜"])(
    "allow 4 MB per transaction, counted in bytes, when events repeat the writes: %s",
    async (letter) => {
      const name = letter.repeat(65_536 / Buffer.byteLength(letter));
      await commitEach(units(90, 2, { name }), (done) => ({
        jobs: done.map(() => newJob("fanout", "w", { name, again: name })),
      }));
      const sizes = sent().map((input) => Buffer.byteLength(JSON.stringify(input)));
      expect(Math.max(...sizes)).toBeLessThan(4_000_000);
      expect(sent().flatMap(itemsOf)).toHaveLength(270);
    },
  );
});

describe("a single write", () => {
  it("without a condition is not a transaction, so it costs half the units", async () => {
    await commit([{ put: { pk: "p", sk: "a" } }]);
    expect(dynamo.calls().map(({ args }) => args[0].constructor.name)).toEqual(["PutCommand"]);
  });

  it("with a job is a transaction of both", async () => {
    const job = newJob("purge", "w", {});
    await commit([{ put: { pk: "p", sk: "a" } }], { jobs: [job] });
    expect(itemsOf(sent()[0] as never).map((item) => item?.pk)).toEqual(["p", `JOB#${job.id}`]);
  });
});

describe("jobs of many units", () => {
  it("are written with their units in transactions of at most 100 writes", async () => {
    const jobOf = () => newJob("purge", "w", {});
    const written = await commitEach(units(30, 2), (done) => ({ jobs: done.flatMap(() => [jobOf(), jobOf()]) }));
    expect(written).toEqual(Array.from({ length: 30 }, () => true));
    expect(sent().map(({ TransactItems = [] }) => TransactItems.length)).toEqual([60, 60]);
  });
});
