// Decides whether a line goes on with the sentence of the line above, because an editor wrapped a paragraph.
// A line end can be a wrap only if the next word would not have fitted. And the text itself must say that it goes on,
// since the lines of a list can be equally long by chance.

/** The width of wrapped text, in columns. Shorter and longer lines are lines of their own. */
const widthMin = 40;
const widthMax = 140;
/** People wrap by hand before the last column. A line that begins in lower case needs no more than this share. */
const nearlyFull = 0.8;

const sentenceEnd = /[.!?:;…。！？：；؟۔।](?:["'”’»)\]」』]|\s)*$/;
/** The end of a sentence inside a line. The word before it has two letters at least: "z. B." ends no sentence. */
const innerEnd = /[\p{L}\p{N}]{2}[.!?…؟۔।]["'”’»)\]]*\s+["'“‘«([]*[^\p{Ll}\s]|[。！？](?=.)/u;
const unfinished = /[,،、([{–—]$|\p{L}[-‐]$/u;
const hyphenated = /\p{L}[-‐\u00ad]$/u;
/** Not "iPhone". */
const lowerStart = /^["'“‘«([]*\p{Ll}(?!\p{Lu})/u;
/** A letter of a script without cases. */
const uncasedStart = /^["'“‘«([「『]*\p{Lo}/u;
/** A character of a script that puts no space between words. It takes two columns. */
const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;
const everySpaceless = new RegExp(spaceless, "gu");
/** In scripts without spaces, a mark that must not begin a line takes its neighbour with it. */
const spacelessSlack = 4;
const columns = /[^\s.!?:;]\s{2,}\S|\S\t\s*\S/;

interface Line {
  /** The line with its marks. */
  raw: string;
  text: string;
}

export const startsLower = (text: string) => lowerStart.test(text);

const isHyphenated = (above: string, text: string) => hyphenated.test(above) && startsLower(text);

/** The text of two lines as one. */
export function joined(above: string, text: string): string {
  if (isHyphenated(above, text)) return above.slice(0, -1) + text;
  const isSpaceless = spaceless.test(above.at(-1) ?? "") && spaceless.test(text[0] ?? "");
  return above + (isSpaceless || hyphenated.test(above) ? "" : " ") + text;
}

/** The wrapping of one block, which has no blank lines. */
export class Wrapping {
  readonly #lines: readonly Line[];
  readonly #widths: readonly number[];
  /** The columns of the longest line with more than one word. */
  readonly #width: number;
  /** All but the last line end like an item of an enumeration. */
  readonly #isEnumeration: boolean;
  /** Most lines that are not full end a sentence. */
  readonly #isPunctuated: boolean;
  /** Something other than line lengths shows that the block is wrapped. */
  readonly #hasProof: boolean;
  readonly #hasInnerEnds: boolean;

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
    this.#widths = lines.map(({ raw }) => widthOf(raw));
    this.#width = lines.reduce((max, { text }, index) => (isWord(text) ? max : Math.max(max, this.#widthAt(index))), 0);
    this.#isEnumeration = lines.length > 2 && lines.slice(0, -1).every(({ text }) => unfinished.test(text));
    const others = lines.filter((_, index) => !this.#isFull(index));
    this.#isPunctuated = others.filter(({ text }) => sentenceEnd.test(text)).length * 4 >= others.length * 3;
    this.#hasInnerEnds = lines.some(({ text }) => innerEnd.test(text));
    this.#hasProof =
      uncasedStart.test(lines[0]?.text ?? "") ||
      lines.some((_, index) => index > 0 && this.#isFull(index - 1) && this.#isProof(index));
  }

  /** Whether the line goes on with the line above it. */
  continues(index: number): boolean {
    const [above, line] = [this.#lines[index - 1], this.#lines[index]];
    if (!above || !line) return false;
    if (isHyphenated(above.text, line.text)) return true;
    if (columns.test(above.text) && columns.test(line.text)) return false;
    if (this.isNearlyFull(index - 1) && !sentenceEnd.test(above.text) && this.#isLower(index)) return true;
    if (!this.#isFull(index - 1)) return false;
    if (this.#isProof(index)) return true;
    if (!this.#hasProof || !this.#isPunctuated) return false;
    return this.#hasInnerEnds || !sentenceEnd.test(above.text);
  }

  isNearlyFull(index: number): boolean {
    return this.#isWrappable && this.#widthAt(index) >= nearlyFull * this.#width;
  }

  /** Whether the next word would not have fitted. */
  #isFull(index: number): boolean {
    const next = this.#lines[index + 1]?.text;
    if (next === undefined || !this.#isWrappable) return false;
    const isSpaceless = spaceless.test(next[0] ?? "");
    const word = isSpaceless ? spacelessSlack : 1 + widthOf(next.split(/\s/, 1)[0] ?? "");
    return this.#widthAt(index) + word > this.#width;
  }

  #isProof(index: number): boolean {
    const above = this.#lines[index - 1]?.text ?? "";
    if (this.#isLower(index) || (unfinished.test(above) && !this.#isEnumeration)) return true;
    return this.#isPunctuated && innerEnd.test(above) && !sentenceEnd.test(above);
  }

  /** In a block that begins in lower case, a lower-case line says nothing. */
  #isLower(index: number): boolean {
    return startsLower(this.#lines[index]?.text ?? "") && !startsLower(this.#lines[0]?.text ?? "");
  }

  get #isWrappable(): boolean {
    return this.#width >= widthMin && this.#width <= widthMax;
  }

  #widthAt(index: number): number {
    return this.#widths[index] ?? 0;
  }
}

/** A long address does not fit the width of its text. */
const isWord = (text: string) => !/\s/.test(text) && !spaceless.test(text);

/** The width in columns of a terminal. */
function widthOf(text: string): number {
  return /^[\x20-\u02ff]*$/.test(text) ? text.length : text.length + (text.match(everySpaceless)?.length ?? 0);
}
