import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as Y from "yjs";
import { isTooSlow, within } from "../../../lib/crdt/within.ts";
import type { Credentials } from "../../support/call.ts";
import { add, editorOf, mergeNow, read, send, textOf, typed } from "../../support/crdt.ts";
import { newDocument } from "../../support/feature-data.ts";
import { expectRefused } from "../../support/refusal.ts";
import { itemsOf } from "../../support/scan.ts";

const endless = () => {
  for (;;);
};

/** Every integration of an item by Yjs takes for ever. */
function integrateForEver(): void {
  vi.stubEnv("SLOWNESS", "0.001");
  vi.spyOn(Y.Item.prototype, "integrate").mockImplementation(endless);
}

function integrateAgain(): void {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
}

afterEach(integrateAgain);

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}

describe("within", () => {
  it("returns and throws what the work does", () => {
    const value = {};
    const error = new Error("x");
    expect(within(() => value)).toBe(value);
    const thrown = thrownBy(() =>
      within(() => {
        throw error;
      }),
    );
    expect(thrown).toBe(error);
    expect(isTooSlow(thrown)).toBe(false);
  });

  it("ends work that does not end, also when it catches all errors", () => {
    const stubborn = () => {
      try {
        endless();
      } finally {
        endless();
      }
    };
    vi.stubEnv("SLOWNESS", "0.001");
    for (const work of [endless, stubborn]) expect(isTooSlow(thrownBy(() => within(work)))).toBe(true);
  });
});

describe("content whose integration does not end", () => {
  let as: Credentials;

  beforeEach(async () => {
    as = await newDocument();
    await add(as, { type: "text", data: "Hello" });
  });

  it("is refused by crdt/add, which stores nothing", async () => {
    const before = await itemsOf(as.apiKey);
    integrateForEver();
    const reply = await add(as, { editorId: "other", type: "map", data: { a: 1 } });
    expectRefused(reply, "INVALID_ARGUMENT", /^data: Takes too long.*crdt\/update/);
    expect(await itemsOf(as.apiKey)).toEqual(before);
  });

  it("is returned by crdt/get as an update, without data", async () => {
    const before = await read(as);
    integrateForEver();
    const { data, ...rest } = before;
    expect(data).toBe("Hello");
    expect(await read(as)).toEqual(rest);
    integrateAgain();
    expect(await read(as)).toEqual(before);
  });

  it("is merged without being compacted, and loses nothing", async () => {
    const changes = typed(Array.from({ length: 300 }, () => "a"));
    for (const change of changes) await send(as, change);
    integrateForEver();
    await mergeNow(as);
    expect(await editorOf(as)).toMatchObject({ waiting: 0 });
    integrateAgain();
    expect([...(await textOf(as))].sort().join("")).toBe(`Hello${"a".repeat(300)}`.split("").sort().join(""));
  });

  it("is taken by crdt/update, which integrates nothing", async () => {
    const [change] = typed(["a"]) as [Uint8Array];
    integrateForEver();
    expect((await send(as, change)).data).toHaveProperty("generation");
  });
});
