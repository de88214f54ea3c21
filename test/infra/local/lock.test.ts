import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { tryLock } from "../../../infra/local/lock.ts";
import { self } from "../../../infra/local/processes.ts";
import { temporaryFolder } from "../../support/local/start.ts";

const newLock = () => join(temporaryFolder(), "server.lock");
const dead = JSON.stringify({ ...self(), started: "another boot" });

it("a lock names its process, keeps others out, and is removed by its release", () => {
  const path = newLock();
  const release = tryLock(path);
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(self());
  expect(tryLock(path)).toBeUndefined();
  release?.();
  expect(existsSync(path)).toBe(false);
});

it("a release leaves the lock of the next holder", () => {
  const path = newLock();
  const release = tryLock(path);
  writeFileSync(path, dead);
  release?.();
  expect(readFileSync(path, "utf8")).toBe(dead);
});

describe("a lock is taken over", () => {
  it.each(["", "{", "[]", "null", '{"version":99}', '{"pid":0,"started":""}', dead])("from the holder %s", (text) => {
    const path = newLock();
    writeFileSync(path, text);
    expect(tryLock(path)).toBeDefined();
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(self());
    expect(existsSync(`${path}.breaking`)).toBe(false);
  });

  it("by one process at a time, unless that one has ended while it did so", () => {
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ["Date"], now: 1_800_000_000_000 });
    const path = newLock();
    writeFileSync(path, dead);
    const leftSince = (ms: number) => {
      writeFileSync(`${path}.breaking`, "");
      utimesSync(`${path}.breaking`, new Date(), new Date(Date.now() - ms));
    };
    leftSince(5_000);
    expect(tryLock(path)).toBeUndefined();
    leftSince(5_001);
    expect(tryLock(path)).toBeDefined();
  });
});
