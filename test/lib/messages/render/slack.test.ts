import { describe, expect, it } from "vitest";
import { messageProblem } from "../../../../infra/local/slack-checks.ts";
import { renderSlack } from "../../../../lib/messages/render/slack.ts";
import { commentEntry, hostileTexts, newContent, notificationEntry } from "../../../support/message-content.ts";

/** The text of all blocks, one line an element. */
const linesOf = (changes: Parameters<typeof newContent>[0] = {}) =>
  renderSlack(newContent(changes)).blocks.flatMap((block) =>
    block.type === "context"
      ? block.elements.map(({ text }) => text)
      : block.elements.map(({ elements }) => elements.map(({ text }) => text).join("")),
  );

it("tells the document, who did what, the quote and why", () => {
  expect(linesOf({ entries: [commentEntry({ isPersonal: true })] })).toEqual([
    "Plan",
    "Alice mentioned you",
    "Can you look at this?",
    "You get this message because you were mentioned, or something was assigned to you. To get fewer, change your notification settings.",
  ]);
});

it("tells several updates with their times, and how many are not shown", () => {
  const entries = Array.from({ length: 25 }, () => commentEntry({ event: "comment.delete", text: undefined }));
  const shown = linesOf({ entries, moreCount: 5 });
  expect(shown).toHaveLength(23);
  expect(shown[1]).toBe("Alice deleted a comment (24 Nov, 02:19 UTC)");
  expect(shown.at(-2)).toBe("And 10 more updates.");
});

it("has a link only to the document", () => {
  const document = { documentId: "plan", name: "Plan", url: "https://app.example.com/plan?a=1&b=2" };
  const links = renderSlack(newContent({ document })).blocks.flatMap((block) =>
    block.type === "context"
      ? []
      : block.elements.flatMap((each) => each.elements.filter(({ type }) => type === "link")),
  );
  expect(links).toEqual([{ type: "link", url: document.url, text: "Open Plan", style: { bold: true } }]);
  expect(JSON.stringify(renderSlack(newContent()))).not.toContain('"link"');
});

it("has no link that Slack refuses for its length, and is otherwise the same", () => {
  const documentOf = (characters: number) => {
    const url = `https://app.example.com/${"%E4%BD%A0".repeat(characters)}`;
    return newContent({ document: { documentId: "plan", name: "Plan", url } });
  };
  expect(JSON.stringify(renderSlack(documentOf(300)))).toContain('"link"');
  expect(messageProblem({ channel: "U12", ...renderSlack(documentOf(300)) })).toBeUndefined();
  expect(renderSlack(documentOf(670))).toEqual(renderSlack(newContent()));
});

it("a digest of many documents is within the limit of 50 blocks", () => {
  const entries = Array.from({ length: 30 }, () => commentEntry());
  const document = { documentId: "b", url: "https://app.example.com/b" };
  const others = Array.from({ length: 30 }, (_, index) => ({ document, entries: entries.slice(index), moreCount: 1 }));
  const message = newContent({ others, document, moreCount: 1 });
  expect(renderSlack(message).blocks.length).toBeLessThanOrEqual(50);
  expect(linesOf(message).at(-2)).toMatch(/^And \d+ updates on 23 more documents\.$/);
});

describe.each(hostileTexts.map((text) => [JSON.stringify(text).slice(0, 40), text]))(
  "with %s everywhere",
  (_, text) => {
    const { text: fallback, blocks } = renderSlack(
      newContent({
        workspaceName: text,
        document: { documentId: text, name: text },
        entries: [
          commentEntry({ text, actorName: text }),
          notificationEntry({ headline: text, text, actorName: text }),
        ],
      }),
    );

    it("the parsed text has no control sequence of Slack, and one line", () => {
      expect(fallback).not.toMatch(/[<>\n]|&(?!amp;|lt;|gt;)/);
    });

    it("all other texts are in elements that Slack does not parse", () => {
      const elements = blocks.flatMap((block) =>
        block.elements.flatMap((each): object[] => ("elements" in each ? each.elements : [each])),
      ) as { type: string; text: string }[];
      expect(new Set(elements.map(({ type }) => type))).toEqual(new Set(["text", "plain_text"]));
      for (const each of elements) expect(each.text).not.toMatch(/^$|[\u202A-\u202E]/);
    });

    it("it is within Slack's limits", () => {
      expect(messageProblem({ channel: "U12", text: fallback, blocks })).toBeUndefined();
      expect(blocks.length).toBeLessThanOrEqual(50);
      expect(JSON.stringify(blocks).length).toBeLessThanOrEqual(20_000);
    });
  },
);
