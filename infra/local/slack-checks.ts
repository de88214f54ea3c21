// What Slack checks of a message. The codes are those of Slack.

// biome-ignore lint/suspicious/noExplicitAny: the arguments of a method, before they are checked
type Given = any;

const blocksMax = 50;
const textMax = 40_000;
const limits = { section: 3_000, header: 150, field: 2_000, fields: 10, elements: 10, actions: 25, url: 3_000 };
const known = ["section", "header", "divider", "context", "actions", "image", "rich_text"];

/** The code of the failure; undefined: Slack posts the message. */
export function messageProblem({ channel, text, blocks }: Given): string | undefined {
  if (typeof channel !== "string" || !/^[CDGUW][A-Z0-9]{2,}$/.test(channel)) return "channel_not_found";
  const hasBlocks = Array.isArray(blocks) && blocks.length > 0;
  if (!hasBlocks && !text) return "no_text";
  if (typeof text === "string" && text.length > textMax) return "msg_too_long";
  if (blocks === undefined) return undefined;
  if (!Array.isArray(blocks)) return "invalid_blocks_format";
  return blocks.length > blocksMax || !blocks.every(isBlock) ? "invalid_blocks" : undefined;
}

function isBlock(block: Given): boolean {
  if (!known.includes(block?.type)) return false;
  if (block.type === "header") return isText(block.text, limits.header, ["plain_text"]);
  if (block.type === "section") {
    const { text, fields } = block;
    if (text === undefined && fields === undefined) return false;
    if (text !== undefined && !isText(text, limits.section)) return false;
    return (
      fields === undefined ||
      (fields.length <= limits.fields && fields.every((each: Given) => isText(each, limits.field)))
    );
  }
  if (block.type === "context")
    return (
      isList(block.elements, limits.elements) && block.elements.every((each: Given) => isText(each, limits.section))
    );
  if (block.type === "rich_text") return isList(block.elements, blocksMax) && block.elements.every(isRichText);
  if (block.type === "actions") return isList(block.elements, limits.actions) && block.elements.every(isButton);
  return true;
}

const isList = (value: Given, max: number) => Array.isArray(value) && value.length > 0 && value.length <= max;

function isText(value: Given, max: number, types = ["plain_text", "mrkdwn"]): boolean {
  const text = value?.text;
  return types.includes(value?.type) && typeof text === "string" && text.length > 0 && text.length <= max;
}

function isButton({ type, text, url }: Given): boolean {
  return type === "button" && isText(text, 75, ["plain_text"]) && (url === undefined || url.length <= limits.url);
}

const richTextTypes = ["rich_text_section", "rich_text_quote", "rich_text_preformatted"];

function isRichText({ type, elements }: Given): boolean {
  return richTextTypes.includes(type) && isList(elements, Number.POSITIVE_INFINITY) && elements.every(isInRichText);
}

/** Slack refuses an empty text, and a link that is no URL. */
function isInRichText(element: Given): boolean {
  const { type, text, url } = element ?? {};
  const hasText = typeof text === "string" && text.length > 0;
  if (type === "text") return hasText;
  if (type !== "link" || typeof url !== "string" || url.length > limits.url) return false;
  return URL.canParse(url) && (text === undefined || hasText);
}
