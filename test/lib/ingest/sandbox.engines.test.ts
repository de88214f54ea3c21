import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../../lib/ingest/file-limits.ts";
import type { FileKind } from "../../../lib/ingest/file-type.ts";
import { readInSandbox } from "../../../lib/ingest/sandbox.ts";
import { hostileFiles } from "../../support/hostile-files.ts";
import { pdf, textOperators } from "../../support/pdfs.ts";
import { root } from "../../support/sources.ts";
import { rowOf, workbook } from "../../support/workbooks.ts";

/** The highest resident memory of any child process until `work` ends, in MB. */
async function peakOf(work: Promise<unknown>): Promise<number> {
  let peak = 0;
  const timer = setInterval(() => {
    for (const pid of children()) peak = Math.max(peak, highWaterMb(pid));
  }, 5);
  await work;
  clearInterval(timer);
  return peak;
}

const children = () =>
  readdirSync("/proc/self/task").flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, "utf8").split(" ").filter(Boolean),
  );

function highWaterMb(pid: string): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

const { seconds } = limits;
afterEach(() => {
  limits.seconds = seconds;
});
/** A file that can be read is read on a busy machine too. */
const withoutHaste = () => {
  limits.seconds = 100;
};

describe("hostile files", () => {
  it.each(hostileFiles)(
    "%s (%s) has the expected result within the limits of time and memory",
    async (_, kind, make, expected) => {
      const bytes = make();
      if (!Array.isArray(expected)) withoutHaste();
      const read = readInSandbox(bytes, kind);
      const peak = await peakOf(read);
      const result = await read;
      if (Array.isArray(expected)) {
        expect(result).toEqual({ problem: expect.any(String) });
        // A busy machine can reach the limit of time first.
        expect([...expected, "tooSlow"]).toContain((result as { problem: string }).problem);
      } else expect(result).toMatchObject(expected);
      expect(peak).toBeLessThan(800);
      expect(children()).toEqual([]);
    },
  );
});

it("readInSandbox kills its process when the time is over", async () => {
  expect(await readInSandbox(Buffer.from("a,b\n"), "csv", Date.now())).toEqual({ problem: "tooSlow" });
  expect(children()).toEqual([]);
});

describe("a valid file", () => {
  beforeEach(withoutHaste);

  const read = (content: string | Buffer, kind: FileKind) => readInSandbox(Buffer.from(content), kind);

  it("can be a spreadsheet of 4 MB, of which every row is read", async () => {
    let state = 1;
    const word = () => {
      state = Math.imul(state, 48_271) >>> 0;
      return state.toString(36);
    };
    const row = () => rowOf(...[1, 2, 3, 4].map(() => `Check ${word()} ${word()} of the ${word()}${word()}`));
    const bytes = workbook({ sheets: [Array.from({ length: 60_000 }, row).join("")] });
    expect(bytes.length).toBeGreaterThan(4_000_000);
    expect(await readInSandbox(bytes, "xlsx")).toMatchObject({ lines: { length: 60_000 } });
  });

  it("can be a table", async () => {
    expect(await read("Task;Owner\nCheck a, b.;QA\n", "csv")).toMatchObject({
      lines: ["Task | Owner", "Check a, b. | QA"],
    });
  });

  it("can be a workbook, whose sheets follow one another under their names", async () => {
    const bytes = workbook({ sheets: [rowOf("Task", "Owner") + rowOf("Check a.", "QA"), rowOf("Check b.")] });
    expect(await readInSandbox(bytes, "xlsx")).toEqual({
      lines: ["Task | Owner", "Check a. | QA", "Check b."],
      marks: [
        { before: 0, text: "Sheet: Sheet1" },
        { before: 2, text: "Sheet: Sheet2" },
      ],
      notes: [],
    });
  });

  it("can be a Word document", async () => {
    const bytes = readFileSync(`${root}/test/lib/ingest/corpus/checks.docx`);
    expect(await readInSandbox(bytes, "docx")).toMatchObject({ lines: { length: 9 } });
  });

  it("can be text, of which the lines and the blank lines stay as they are", async () => {
    expect(await read("# Release\n\n- Check a\n  and b\r\n\r\nCheck c\n", "text")).toEqual({
      lines: ["# Release", "- Check a", "  and b", "Check c"],
      marks: [
        { before: 1, text: "" },
        { before: 3, text: "" },
      ],
      notes: [],
    });
  });

  it("can be a PDF, of which the lines of all pages are read", async () => {
    const bytes = pdf({ content: textOperators("Check a.", "Check b."), pages: 2 });
    expect(await readInSandbox(bytes, "pdf")).toEqual({
      lines: ["Check a.", "Check b.", "Check a.", "Check b."],
      marks: [
        { before: 0, text: "Page 1" },
        { before: 2, text: "Page 2" },
      ],
      notes: [],
    });
  });
});
