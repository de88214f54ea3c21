import { describe, expect, it } from "vitest";
import { listedAt, rotated, signingAt } from "../../../lib/access/key-times.ts";
import type { SigningKeys } from "../../../lib/store/access/signing-key.ts";

const [now, minute] = [1_700_000_000_000, 60_000];
const tenMinutes = 10 * minute;
const tokenLife = 48 * 60 * minute;

const pair = (kid: string) => ({ kid, publicJwk: { kid }, privateSealed: `sealed ${kid}` });
const listed = (keys: SigningKeys, at: number) => listedAt(keys, at).map(({ kid }) => kid);
const rotatedAt = (keys: SigningKeys, kid: string, at: number) => rotated(keys, pair(kid), at) as SigningKeys;

it("a workspace without a rotation has one key, which signs", () => {
  expect(signingAt(pair("a"), now).kid).toBe("a");
  expect(listed(pair("a"), now)).toEqual(["a"]);
});

describe("a rotation", () => {
  const keys = rotatedAt(pair("a"), "b", now);

  it("lists the new key 10 minutes before it signs", () => {
    expect(signingAt(keys, now + tenMinutes - 1).kid).toBe("a");
    expect(listed(keys, now)).toEqual(["a", "b"]);
    expect(signingAt(keys, now + tenMinutes).kid).toBe("b");
  });

  it("lists the former key for 48 hours and 10 minutes after it has signed", () => {
    const last = now + tenMinutes + tokenLife + tenMinutes;
    expect(listed(keys, last - 1)).toEqual(["a", "b"]);
    expect(listed(keys, last)).toEqual(["b"]);
  });

  it("is refused while the key of the one before does not sign", () => {
    expect(rotated(keys, pair("c"), now + tenMinutes - 1)).toBeUndefined();
  });

  it("keeps the keys of earlier rotations listed for their own time, without their private halves", () => {
    const again = rotatedAt(keys, "c", now + tenMinutes);
    expect(signingAt(again, now + tenMinutes).kid).toBe("b");
    expect(listed(again, now + tenMinutes)).toEqual(["b", "c", "a"]);
    expect(JSON.stringify(again)).not.toContain("sealed a");
    const ended = now + tenMinutes + tokenLife + tenMinutes;
    expect(listed(again, ended)).toEqual(["b", "c"]);
    expect(rotatedAt(again, "d", ended).former).toEqual([
      { publicJwk: { kid: "b" }, listedUntil: now + 2 * tenMinutes + tokenLife + tenMinutes },
    ]);
  });
});
