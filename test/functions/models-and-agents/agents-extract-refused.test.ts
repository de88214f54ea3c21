// Refused and failed extractions.
import { SQSClient } from "@aws-sdk/client-sqs";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { agentsExtract, handler } from "../../../functions/models-and-agents/agents-extract.ts";
import { aimodelconfigUpdate } from "../../../functions/models-and-agents/aimodelconfig-update.ts";
import * as Blob from "../../../lib/store/blob.ts";
import { type Credentials, call, contextOf, eventOf, must, newWorkspace } from "../../support/call.ts";
import { errorLines, logs } from "../../support/capture-logs.ts";
import { csv, extract, fileOf, startExtractionVendor, withKeys, xlsxType } from "../../support/extraction.ts";
import { jobsOf } from "../../support/jobs.ts";
import { rowOf, workbook } from "../../support/workbooks.ts";

const oldOffice = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(512)]);
const vendor = await startExtractionVendor();
let alice: Credentials;
beforeEach(async () => {
  alice = await withKeys(vendor);
});

describe("INVALID_ARGUMENT", () => {
  const big = Buffer.alloc(5 * 1_024 * 1_024 + 1, "a");
  it.each<[string, object, [path: string, message: RegExp][]]>([
    ["a missing file", { mimeType: "text/csv" }, [["fileBase64", /required/]]],
    ["an empty file", { fileBase64: "", mimeType: "text/csv" }, [["fileBase64", /empty/]]],
    ["a file of white space", { fileBase64: " \n", mimeType: "text/csv" }, [["fileBase64", /white space/]]],
    ["a missing type", { fileBase64: "YQ==" }, [["mimeType", /required/]]],
    ["an empty type", { fileBase64: "YQ==", mimeType: "" }, [["mimeType", /empty/]]],
    ["an empty request", {}, ["mimeType", "fileBase64"].map((path) => [path, /required/])],
    ["a text that is not base64", { fileBase64: "a*b", mimeType: "text/csv" }, [["fileBase64", /base64/]]],
    [
      "a data URL",
      { fileBase64: "data:text/csv;base64,YSxi", mimeType: "text/csv" },
      [["fileBase64", /remove "data:text\/csv;base64,"/]],
    ],
    [
      "an old workbook",
      fileOf(Buffer.concat([oldOffice, Buffer.from("Workbook", "utf16le")]), "application/vnd.ms-excel"),
      [["fileBase64", /Save it as \.xlsx/]],
    ],
    [
      "base64 with a character after the padding",
      { fileBase64: "YQ==Y", mimeType: "text/csv" },
      [["fileBase64", /base64/]],
    ],
    ["an unsupported type", fileOf("a", "image/png"), [["mimeType", /not supported/]]],
    ["a file over 5 MB", fileOf(big, "text/plain"), [["fileBase64", /5 MB/]]],
    [
      "a file over 5 MB of an unsupported type",
      fileOf(big, "image/png"),
      [
        ["fileBase64", /5 MB/],
        ["mimeType", /not supported/],
      ],
    ],
    [
      "a bad file of an unsupported type with a bad name",
      { fileBase64: "%%%", mimeType: "zz", fileName: 5 },
      [
        ["fileBase64", /base64/],
        ["mimeType", /not supported/],
        ["fileName", /string/],
      ],
    ],
    [
      "a text as a workbook with a bad name",
      { ...fileOf("a,b", xlsxType), fileName: 5 },
      [
        ["fileName", /string/],
        ["fileBase64", /not match mimeType/],
      ],
    ],
    [
      "a workbook as text/csv",
      fileOf(workbook({ sheets: [rowOf("a")] }), "text/csv"),
      [["fileBase64", /not match mimeType/]],
    ],
    ["a text as a workbook", fileOf("a,b", xlsxType), [["fileBase64", /not match mimeType/]]],
    ["NUL in a table", fileOf("a,\0b"), [["fileBase64", /not match mimeType/]]],
  ])("is returned for %s, and nothing is stored", async (_, data, expected) => {
    const { error } = await call(agentsExtract, { as: alice, data });
    const issues = expected.map(([path, message]) => ({ path: [path], message: expect.stringMatching(message) }));
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues } });
    expect(error?.message).toMatch(expected[0]?.[1] as RegExp);
    expect(await jobsOf(alice, "ingest")).toEqual([]);
  });

  it("accepts base64 with line breaks, and a file of exactly 5 MB", async () => {
    vi.stubEnv("INGEST_BUDGET_SECONDS", "0");
    const wrapped = { fileBase64: "VGFzayxPd25l\r\nci", mimeType: "text/csv; charset=utf-8" };
    for (const data of [wrapped, fileOf(big.subarray(1), "text/markdown")]) {
      expect((await call(agentsExtract, { as: alice, data })).error?.status).toBe("DEADLINE_EXCEEDED");
    }
  });
});

describe("INTERNAL", () => {
  it.each<[string, object, RegExp]>([
    ["an unknown provider, after validation", { ...fileOf(csv), provider: "mistral" }, /provider is unknown/],
    ["a file without text", fileOf(" \n,,\n"), /no readable content/],
    ["an encrypted file", fileOf(oldOffice, xlsxType), /encrypted/],
  ])("is returned for %s, and no error is logged", async (_, data, message) => {
    const { error } = await extract(alice, data);
    expect(error).toMatchObject({ status: "INTERNAL", message: expect.stringMatching(message) });
    expect(error?.message).not.toContain("Request id");
    expect(vendor.requests).toEqual([]);
    expect(errorLines()).toEqual([]);
    expect(logs().at(-1)).toMatchObject({ message: "call", http: 500, expectedFailures: 1 });
  });

  it("is returned without an API key, names the setting, and the file succeeds once the key is set", async () => {
    const as = await newWorkspace();
    expect((await extract(as, fileOf(csv))).error).toMatchObject({
      status: "INTERNAL",
      message: expect.stringContaining("AI model configuration"),
    });
    await must(aimodelconfigUpdate, {
      as,
      data: { providers: { openai: { apiKey: "k", baseUrl: vendor.baseUrl("openai") } } },
    });
    expect((await extract(as, fileOf(csv))).error).toBeUndefined();
  });
});

describe("a run whose file has expired", () => {
  it("fails, and sending the file again succeeds", async () => {
    vi.stubEnv("INGEST_BUDGET_SECONDS", "0");
    await call(agentsExtract, { as: alice, data: fileOf(csv) });
    vi.unstubAllEnvs();
    await Blob.removeAll({ workspace: alice.apiKey });
    const message = expect.stringMatching(/^The file has expired. Send it again. Request id: /);
    const headers = { "idempotency-key": "file" };
    expect((await extract(alice, fileOf(csv), headers)).error).toEqual({ status: "INTERNAL", message });
    // The key of the failed call is free.
    expect((await extract(alice, fileOf(csv), headers)).error).toBeUndefined();
  });
});

describe("UNAVAILABLE", () => {
  it("is returned when the queue refuses, and the same file sent again returns the result of the run", async () => {
    const event = eventOf(agentsExtract, { as: alice, data: fileOf(csv) });
    vi.spyOn(SQSClient.prototype, "send").mockImplementation(() => Promise.reject(new Error("refused")));
    const refused = await handler(event as never, contextOf("agents-extract") as never);
    expect(JSON.parse(refused.body).error).toMatchObject({ status: "UNAVAILABLE" });
    vi.restoreAllMocks();
    expect((await extract(alice, fileOf(csv))).error).toBeUndefined();
    expect(vendor.requests).toHaveLength(1);
  });

  it("is returned when the vendor is overloaded", async () => {
    vendor.behave({ mode: "overload529" });
    expect((await extract(alice, fileOf(csv))).error?.status).toBe("UNAVAILABLE");
  });
});

describe("DEADLINE_EXCEEDED", () => {
  it("is returned after the time budget, and the same file sent again returns the result of the run", async () => {
    vi.stubEnv("INGEST_BUDGET_SECONDS", "0.3");
    const late = await call(agentsExtract, { as: alice, data: fileOf(csv) });
    expect(late.error).toMatchObject({ status: "DEADLINE_EXCEEDED", message: expect.stringContaining("again") });
    vi.unstubAllEnvs();
    expect((await extract(alice, fileOf(csv))).error).toBeUndefined();
  });
});
