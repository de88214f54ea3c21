import { Readable, type Transform } from "node:stream";
import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { checkpointIn, isGenuine, verifyLog } from "../../../../infra/console/page/verify.ts";
import { hidingLines } from "../../../../infra/console/server/hidden-lines.ts";
import { lineOf } from "../../../../lib/activity/exported.ts";
import {
  canonicalJson,
  contentOf,
  firstHash,
  hashOfRecord,
  salted,
} from "../../../../lib/store/activity/activity-chain.ts";

/** The lines that the service would export. */
function logOf(count: number): string[] {
  let hash = firstHash("chain");
  return Array.from({ length: count }, (_, index) => {
    const texts = { displayMessage: salted(`"Zürich" 🦜 ${index}\n`), changes: salted("{}") };
    const record = {
      chain: "chain",
      sequence: index + 1,
      activityId: `a${index}`,
      organizationId: "acme",
      eventType: "comment.add",
      createdAt: "2026-11-24T00:00:00.000Z",
      content: contentOf(texts),
    };
    hash = hashOfRecord(hash, record);
    return lineOf({ record: canonicalJson(record), hash, texts: JSON.stringify(texts) }).trimEnd();
  });
}

describe("an exported log", () => {
  test("that is as it was written is verified, to the service's own hash", async () => {
    const lines = logOf(3);
    const verdict = await verifyLog(lines);
    expect(verdict).toMatchObject({ verified: { records: 3, textsRemoved: 0, hidden: 0, chain: "chain" } });
    expect(verdict).toMatchObject({ verified: { hash: JSON.parse(lines.at(-1) ?? "").hash } });
  });

  test("still verifies without texts that were removed, and counts them", async () => {
    const [first = "", ...others] = logOf(2);
    const { record, hash } = JSON.parse(first);
    const without = lineOf({ record: canonicalJson(record), hash }).trimEnd();
    expect(await verifyLog([without, ...others])).toMatchObject({ verified: { records: 2, textsRemoved: 2 } });
  });

  test.each([
    ["a changed field", (lines: string[]) => lines.with(1, (lines[1] ?? "").replace("comment.add", "comment.del"))],
    ["a changed text", (lines: string[]) => lines.with(1, (lines[1] ?? "").replace("Zürich", "Zurich"))],
    ["a changed hash", (lines: string[]) => lines.with(1, (lines[1] ?? "").replace(/"hash":"./, '"hash":"x'))],
    ["a removed record", (lines: string[]) => lines.toSpliced(1, 1)],
    ["a moved record", ([first = "", second = "", third = ""]: string[]) => [first, third, second]],
    ["a repeated record", ([first = "", ...others]: string[]) => [first, first, ...others]],
    ["white space", (lines: string[]) => lines.with(1, `${lines[1]} `)],
    ["a field that no hash covers", (lines: string[]) => lines.with(1, (lines[1] ?? "").replace(/}$/, ',"x":1}'))],
    ["no record at all", (lines: string[]) => lines.with(1, "null")],
  ])("with %s is refused at that record", async (_, change) => {
    expect(await verifyLog(change(logOf(3)))).toEqual({ fault: expect.stringContaining("2") });
  });

  test("without records is verified as empty", async () => {
    expect(await verifyLog([])).toEqual({ verified: { records: 0, textsRemoved: 0, hidden: 0, hashes: [] } });
  });
});

describe("a record that the console's server hides in part", () => {
  const hide = (line = "", token = "Zürich") => withLines(hidingLines([token], "mark"), `${line}\n`);
  const withLines = async (hiding: Transform, lines: string) =>
    (await text(Readable.from([lines]).pipe(hiding))).trim();

  test("is counted, and all others are checked", async () => {
    const [first, second, third = ""] = logOf(3);
    const lines = [await hide(first), await hide(second), third];
    expect(await verifyLog(lines, "mark")).toMatchObject({
      verified: { records: 3, hidden: 2, hashes: { length: 3 } },
    });
    const changed = [...lines.slice(0, 2), third.replace("Zürich", "Zurich")];
    expect(await verifyLog(changed, "mark")).toEqual({ fault: expect.stringContaining("3") });
  });

  test("still has its place and its hash, which the next record confirms", async () => {
    const [first = "", second = "", third = ""] = logOf(3);
    const hidden = await hide(second.replace(/"hash":"./, '"hash":"x'));
    expect(await verifyLog([first, hidden, third], "mark")).toEqual({ fault: expect.stringContaining("3") });
    expect(await verifyLog([await hide(second)], "mark")).toEqual({ fault: expect.stringContaining("1") });
  });

  test("is refused with another mark: whoever changes the log does not know it", async () => {
    const [first] = logOf(1);
    for (const mark of ["other", "", undefined])
      expect(await verifyLog([await hide(first)], mark)).toEqual({ fault: "Line 1 is not a record." });
  });
});

describe("a checkpoint", async () => {
  const said = { chain: "chain", organizationId: "acme", sequence: 3, hash: "00", at: "now" };
  const [own, other] = [await generateKeyPair("ES256"), await generateKeyPair("ES256")];
  const jws = await new SignJWT(said).setProtectedHeader({ alg: "ES256", kid: "k" }).sign(own.privateKey);

  test("says what was signed", () => {
    expect(checkpointIn(jws)).toEqual(said);
    expect(checkpointIn("no checkpoint")).toBeUndefined();
  });

  test("is genuine only if a key of the workspace has signed exactly it", async () => {
    const [ownKey, otherKey] = [await exportJWK(own.publicKey), await exportJWK(other.publicKey)];
    expect(await isGenuine(jws, [otherKey, ownKey])).toBe(true);
    expect(await isGenuine(jws, [otherKey])).toBe(false);
    expect(await isGenuine(jws.replace(/\.[^.]+\./, ".e30."), [ownKey])).toBe(false);
    expect(await isGenuine("no checkpoint", [ownKey])).toBe(false);
  });
});
