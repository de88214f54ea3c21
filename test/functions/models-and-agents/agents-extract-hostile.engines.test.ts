// Malicious files in an extraction. test/lib/ingest/sandbox.engines.test.ts has all of them, without a call.
import { expect, it } from "vitest";
import { aimodelconfigGet } from "../../../functions/models-and-agents/aimodelconfig-get.ts";
import { must } from "../../support/call.ts";
import { docxType, extract, fileOf, startExtractionVendor, withKeys, xlsxType } from "../../support/extraction.ts";
import { hostileFiles } from "../../support/hostile-files.ts";

const mimeTypes = { csv: "text/csv", text: "text/plain", pdf: "application/pdf", xlsx: xlsxType, docx: docxType };
const worst = /^(?:4 million shared strings|a nested bomb|elements a million deep)/;
const vendor = await startExtractionVendor();

it.each(hostileFiles.filter(([name]) => worst.test(name)))(
  "%s: ends as an error, while another call succeeds",
  async (_, kind, make) => {
    const as = await withKeys(vendor);
    let isDone = false;
    const refused = extract(as, fileOf(make(), mimeTypes[kind])).finally(() => {
      isDone = true;
    });
    // The second call comes after the reader has started.
    for (let count = 0; count < 2; count++) await must(aimodelconfigGet, { as, data: {} });
    expect(isDone).toBe(false);
    expect((await refused).error).toMatchObject({
      status: "INTERNAL",
      message: expect.stringContaining("no readable content"),
    });
  },
);
