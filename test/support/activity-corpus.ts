// Exported activity logs, honest and tampered, which each verifier must tell apart: the command, and the Python example.
import type { Exported } from "../../infra/admin/activity-log/exported.ts";
import { firstHash, hashOfRecord } from "../../lib/store/activity/activity-chain.ts";
import { chainOf, textOf } from "./chains.ts";

export interface LogFile {
  name: string;
  bytes: Buffer;
}

/** JSON with the order of its fields, in which a name can be there twice. */
type Node = { fields: Fields } | { json: string };

const nodeOf = (value: unknown): Node =>
  typeof value === "object" && value !== null
    ? { fields: Object.entries(value).map(([name, each]) => [name, nodeOf(each)]) }
    : { json: JSON.stringify(value) };

const written = (node: Node): string =>
  "json" in node
    ? node.json
    : `{${node.fields.map(([name, value]) => `${JSON.stringify(name)}:${written(value)}`).join(",")}}`;

const odd = '\u0001\b\t\n\f\r"\\/\u007f\u2028é\u{1f600}\ue000';
const texts = { actionUser: '{"userId":"ann"}', changes: `{"text":"${odd.length} é\u2028"}`, displayMessage: odd };
/** Names whose order is that of their code units, not that of their code points or numbers. */
const oddNames: object = { "\u{1f600}": "", "\ue000": "", "10": "", "9": "" };
const log = chainOf([
  { eventType: "comment.add", documentId: "é", texts },
  { eventType: odd, documentId: odd, texts },
  { eventType: "comment.add", documentId: "d", texts },
  { eventType: "organization.update", texts: {} },
  { eventType: "constructor", activityId: "__proto__", documentId: "", texts: { changes: "", ...oddNames } },
]);
const lines = log.map(textOf);
const fileOf = (name: string, all: readonly string[], end = "\n"): LogFile => ({
  name,
  bytes: Buffer.from(all.map((line) => line + end).join("")),
});

/** Without these texts, as an erasure leaves a record. */
const erased = (index: number, ...parts: string[]): string => {
  const { texts = {}, ...entry } = log[index] as Exported;
  const kept = Object.fromEntries(Object.entries(texts).filter(([part]) => !parts.includes(part)));
  return textOf({ ...entry, ...(Object.keys(kept).length > 0 && { texts: kept }) });
};

export const honestLogs: LogFile[] = [
  fileOf("as it was written", lines),
  fileOf("without records", []),
  fileOf("with an erased text", lines.with(1, erased(1, "changes"))),
  fileOf("with a record whose texts are all erased", lines.with(1, erased(1, ...Object.keys(texts)))),
  fileOf(
    "without any text",
    log.map(({ record, hash }) => textOf({ record, hash })),
  ),
  // Only a checkpoint shows it.
  fileOf("without its last record", lines.slice(0, -1)),
];

type Fields = [name: string, value: Node][];
type Change = [what: string, to: Node];

/** Other values in place of this one. */
function valuesOf(json: string): string[] {
  const text: unknown = JSON.parse(json);
  if (typeof text !== "string")
    return [`${json}.0`, `${json}e0`, `-${json}`, `${Number(json) + 1}`, `"${json}"`, "true"];
  const escaped = `"\\u${(text.charCodeAt(0) || 0).toString(16).padStart(4, "0")}${json.slice(2)}`;
  return [`"x${json.slice(1)}`, json.replace(/"$/, ' "'), json.toUpperCase(), '""', '"\\ud800"', escaped];
}

/** Each way in which the fields of one object can be written otherwise. `next`: the same object of the next record. */
function changesOf(fields: Fields, next: Fields): Change[] {
  const added = ["note", "__proto__", "constructor", "texts", "content", "target", "documentId", "metadata"]
    .filter((name) => !fields.some(([each]) => each === name))
    .map((name): Change => [`${name} added`, { fields: [...fields, [name, { fields: [] }]] }]);
  const each = fields.flatMap(([name, value], index): Change[] => {
    const changed = (...by: Fields): Node => ({ fields: fields.toSpliced(index, 1, ...by) });
    const { 1: beside } = next.find(([other]) => other === name) ?? [];
    const [otherName, other] = fields[index + 1] ?? [];
    return [
      [`${name} removed`, changed()],
      [`${name} twice`, changed([name, value], [name, value])],
      [`${name} twice, the first one empty`, changed([name, { json: '""' }], [name, value])],
      [`${name} renamed`, changed([`${name}x`, value])],
      [`${name} null`, changed([name, { json: "null" }])],
      [`${name} empty`, changed([name, { fields: [] }])],
      [`${name} in a list`, changed([name, { json: `[${written(value)}]` }])],
      [`${name} at the end`, { fields: [...fields.toSpliced(index, 1), [name, value]] }],
      ...(other ? [[`${name} with the value of ${otherName}`, changed([name, other])] as Change] : []),
      ...(beside ? [[`${name} of the next record`, changed([name, beside])] as Change] : []),
      ...("json" in value ? valuesOf(value.json) : []).map(
        (json): Change => [`${name} ${json}`, changed([name, { json }])],
      ),
    ];
  });
  return [...each, ...added, ["fields reversed", { fields: fields.toReversed() }]];
}

/** The changes of an object and of all objects in it. */
function changesWithin(node: Node, next: Node, path = ""): Change[] {
  if (!("fields" in node)) return [];
  const others = "fields" in next ? next.fields : [];
  const own = changesOf(node.fields, others).map(([what, to]): Change => [`${path}${what}`, to]);
  const inner = node.fields.flatMap(([name, value], index) => {
    const beside = others.find(([other]) => other === name)?.[1] ?? { fields: [] };
    return changesWithin(value, beside, `${path}${name}.`).map(
      ([what, to]): Change => [what, { fields: node.fields.with(index, [name, to]) }],
    );
  });
  return [...own, ...inner];
}

/** An erasure removes texts. */
const isErasure = (what: string) => /^texts(?:\.(?:actionUser|changes|displayMessage))? removed$/.test(what);

/** The third record, changed in each way. */
const changedRecords = [2, 3].flatMap((index) =>
  changesWithin(nodeOf(JSON.parse(lines[index] ?? "")), nodeOf(JSON.parse(lines[index + 1] ?? "")))
    .filter(([what, to]) => !isErasure(what) && written(to) !== lines[index])
    .map(([what, to]) => fileOf(`record ${index + 1}: ${what}`, lines.with(index, written(to)))),
);

/** Bytes that were moved between a text and its salt, in either direction. */
const movedBytes = [-4, -2, -1, 1, 2, 4].map((count) => {
  const { texts = {}, ...entry } = log[2] as Exported;
  const { salt = "", text = "" } = texts.changes ?? {};
  const moved =
    count > 0
      ? { salt: salt + Buffer.from(text).subarray(0, count).toString("hex"), text: text.slice(count) }
      : { salt: salt.slice(0, 2 * count), text: Buffer.from(salt.slice(2 * count), "hex").toString("latin1") + text };
  return fileOf(
    `${count} bytes of a text in its salt`,
    lines.with(2, textOf({ ...entry, texts: { ...texts, changes: moved } })),
  );
});

/** One record changed, and all hashes made to fit. */
function rehashed(name: string, changed: number, change: object): LogFile {
  let hash = firstHash("chain-1");
  const all = log.map((entry, index) => {
    const record = { ...entry.record, ...(index === changed && change) };
    hash = hashOfRecord(hash, record);
    return textOf({ ...entry, record, hash });
  });
  return fileOf(`${name}, with hashes that fit`, all);
}

const at = (index: number) => lines[index] ?? "";
const other = chainOf([{ eventType: "comment.add", texts }], "chain-2").map(textOf);

export const tamperedLogs: LogFile[] = [
  ...changedRecords,
  ...movedBytes,
  rehashed("a record of another chain", 2, { chain: "chain-2" }),
  rehashed("a sequence that is no number", 0, { sequence: true }),
  rehashed("a content that is a list", 3, { content: [] }),
  rehashed("a content that is a text", 3, { content: "" }),
  ...['"\\ud800"', '"\\udc00"', "{}", "[]", "null", "true", "1.5", "9007199254740992"].flatMap((json) => [
    rehashed(`${json} in a record`, 1, { documentId: JSON.parse(json) }),
    rehashed(`${json} in a content`, 1, { content: { changes: JSON.parse(json) } }),
  ]),
  rehashed("a name with a lone surrogate", 1, { "\ud800": "" }),
  fileOf("a record that is longer than any", [
    textOf(chainOf([{ eventType: "x".repeat(4_000_000), texts: {} }])[0] as Exported),
  ]),
  ...[0, 1, 2, 3].map((index) => fileOf(`without record ${index + 1}`, lines.toSpliced(index, 1))),
  ...[0, 1, 2, 3, 4].map((index) => fileOf(`record ${index + 1} twice`, lines.toSpliced(index, 0, at(index)))),
  ...[0, 1, 2, 3, 4].map((index) => fileOf(`record ${index + 1} again at the end`, [...lines, at(index)])).slice(0, 4),
  ...[0, 1, 2, 3].map((index) =>
    fileOf(
      `records ${index + 1} and ${index + 2} exchanged`,
      lines.with(index, at(index + 1)).with(index + 1, at(index)),
    ),
  ),
  fileOf("the first record moved to the end", [...lines.slice(1), at(0)]),
  fileOf("in the other direction", lines.toReversed()),
  fileOf("a record of another chain at the end", [...lines, ...other]),
  fileOf("a record of another chain in front", [...other, ...lines]),
  fileOf("an empty line in it", lines.toSpliced(2, 0, "")),
  fileOf("an empty line at the end", [...lines, ""]),
  fileOf("a line that is no JSON", lines.with(2, "{")),
  fileOf("a line that is no object", lines.with(2, "[]")),
  fileOf("a line with too many levels", lines.with(2, "[".repeat(5_000))),
  fileOf("line feeds of another system", lines, "\r\n"),
  fileOf("white space in a line", lines.with(2, at(2).replace(":", ": "))),
  fileOf("white space after a line", lines.with(2, `${at(2)} `)),
  fileOf("a byte order mark", lines.with(0, `\ufeff${at(0)}`)),
  ...[
    ["of another character set", [0xe9]],
    ["of an overlong form", [0xc1, 0xa1]],
    ["of a surrogate", [0xed, 0xa0, 0x80]],
    ["of a character that is not complete", [0xe2, 0x82]],
  ].flatMap(([what, bytes]) =>
    lines.map((line, index) => {
      const file = Buffer.from(
        lines
          .with(index, line.replace("organizationId", "@"))
          .map((each) => `${each}\n`)
          .join(""),
      );
      const place = file.indexOf("@");
      const parts = [file.subarray(0, place), Buffer.from(bytes as number[]), file.subarray(place + 1)];
      return { name: `bytes ${what} in record ${index + 1}, which are no UTF-8`, bytes: Buffer.concat(parts) };
    }),
  ),
  { name: "another encoding", bytes: Buffer.from(lines.map((line) => `${line}\n`).join(""), "utf16le") },
  { name: "half a character at its end", bytes: Buffer.from([...Buffer.from(`${lines.join("\n")}\n`), 0xe2, 0x82]) },
  { name: "no line feed at its end", bytes: Buffer.from(lines.join("\n")) },
  { name: "no line feed after its only record", bytes: Buffer.from(at(0)) },
  { name: "half a record at its end", bytes: Buffer.from(lines.join("\n").slice(0, -100)) },
  { name: "something behind its last line feed", bytes: Buffer.from(`${lines.join("\n")}\n `) },
  fileOf("a line that is longer than any record", lines.with(2, `${at(2)}${" ".repeat(5_000_000)}`)),
];
