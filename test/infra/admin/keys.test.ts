import jwt from "jsonwebtoken";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { jwksGet } from "../../../functions/user-tokens/jwks-get.ts";
import { jwksRecordsGet } from "../../../functions/user-tokens/jwks-records-get.ts";
import { signRecord } from "../../../lib/access/signing-keys.ts";
import { errorLine, mockStack, onStack } from "../../support/admin.ts";
import { type Credentials, call, newWorkspace } from "../../support/call.ts";
import { giveToken } from "../../support/workspace.ts";

mockStack();
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const tenMinutes = 10 * 60_000;
const later = (ms: number) => void vi.setSystemTime(Date.now() + ms);
const rotate = ({ apiKey }: Credentials, ...more: string[]) =>
  onStack(["signing-key", "rotate", "--workspace", apiKey, ...more]);

async function signingKid(as: Credentials): Promise<string | undefined> {
  return jwt.decode((await giveToken(as)).data.token, { complete: true })?.header.kid;
}

async function listedKids({ apiKey }: Credentials): Promise<string[]> {
  const { body } = await call(jwksGet, { pathParameters: { apiKey } });
  return body.keys.map(({ kid }: { kid: string }) => kid);
}

describe("signing-key rotate", () => {
  it("lists the new key at once, signs with it after 10 minutes, and keeps the former while its tokens are valid", async () => {
    const as = await newWorkspace();
    const former = await signingKid(as);
    const { kid, signsFrom } = await rotate(as);
    expect(Date.parse(signsFrom) - Date.now()).toBe(tenMinutes);
    expect(await signingKid(as)).toBe(former);
    expect(await listedKids(as)).toEqual([former, kid]);
    later(tenMinutes);
    expect(await signingKid(as)).toBe(kid);
    later(48 * 3_600_000 + tenMinutes - 1);
    expect(await listedKids(as)).toEqual([former, kid]);
    later(1);
    expect(await listedKids(as)).toEqual([kid]);
  });

  it("is refused while the key of an earlier rotation does not sign, and changes nothing", async () => {
    const as = await newWorkspace();
    await rotate(as);
    const listed = await listedKids(as);
    expect(await errorLine(["signing-key", "rotate", "--workspace", as.apiKey, "--stack", "s"])).toContain("--now");
    expect(await listedKids(as)).toEqual(listed);
  });

  it("with --now signs with the new key at once and lists no other", async () => {
    const as = await newWorkspace();
    const former = await signingKid(as);
    await rotate(as);
    const { kid } = await rotate(as, "--now");
    expect(kid).not.toBe(former);
    expect(await signingKid(as)).toBe(kid);
    expect(await listedKids(as)).toEqual([kid]);
  });

  it("twice at once keeps the key of one rotation", async () => {
    const as = await newWorkspace();
    const former = await signingKid(as);
    const results = await Promise.allSettled([rotate(as), rotate(as)]);
    const made = results.flatMap((each) => (each.status === "fulfilled" ? [each.value.kid] : []));
    expect(made).toHaveLength(1);
    expect(await listedKids(as)).toEqual([former, ...made]);
  });
});

describe("records-key rotate", () => {
  const rotateRecords = ({ apiKey }: Credentials, ...more: string[]) =>
    onStack(["records-key", "rotate", "--workspace", apiKey, ...more]);
  const kidOf = async ({ apiKey }: Credentials) =>
    jwt.decode(await signRecord(apiKey, "JWT", {}), { complete: true })?.header.kid;
  const listed = async ({ apiKey }: Credentials) => {
    const { body } = await call(jwksRecordsGet, { pathParameters: { apiKey } });
    return body.keys.map(({ kid }: { kid: string }) => kid).sort();
  };

  it("lists the new key at once, signs with it after 10 minutes, and keeps the former ones listed for ever", async () => {
    const as = await newWorkspace();
    const former = await kidOf(as);
    const { kid, signsFrom } = await rotateRecords(as);
    expect(Date.parse(signsFrom) - Date.now()).toBe(tenMinutes);
    expect(await kidOf(as)).toBe(former);
    expect(await errorLine(["records-key", "rotate", "--workspace", as.apiKey, "--stack", "s"])).toContain("--now");
    later(tenMinutes);
    expect(await kidOf(as)).toBe(kid);
    const { kid: third } = await rotateRecords(as, "--now");
    expect(await kidOf(as)).toBe(third);
    later(400 * 86_400_000);
    expect(await listed(as)).toEqual([former, kid, third].sort());
  });

  it("twice at once keeps the key of one rotation, also in a workspace that has no key yet", async () => {
    const as = await newWorkspace();
    const results = await Promise.allSettled([rotateRecords(as), rotateRecords(as)]);
    const made = results.flatMap((each) => (each.status === "fulfilled" ? [each.value.kid] : []));
    expect(made).toHaveLength(1);
    expect(await listed(as)).toHaveLength(2);
  });
});
