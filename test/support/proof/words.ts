// What users have written, each word once: which of it must be stored in the end, and which may be.
import type { Page } from "./page.ts";

interface Word {
  page: Page;
  /** The thread of a comment. */
  annotationId: string | undefined;
  /** It can be gone: deleted, undone, or never sent by a page that has ended. */
  isForgiven: boolean;
}

export class Words {
  readonly #words = new Map<string, Word>();
  readonly #deleted = new Set<string>();
  #count = 0;

  /** A word of an editor, or the text of a comment. Until `forgive`, it must be stored in the end. */
  new(page: Page, [begin = "", end = ""]: string, annotationId?: string): string {
    const word = `${begin}${this.#count++}${end}`;
    this.#words.set(word, { page, annotationId, isForgiven: false });
    return word;
  }

  /** What a page, or all pages, have written need not be stored. */
  forgive(page?: Page): void {
    for (const word of this.#words.values()) word.isForgiven ||= !page || word.page === page;
  }

  /** The comments of a thread that somebody deletes, and those that others add to it meanwhile. */
  forgiveThread(annotationId: string): void {
    this.#deleted.add(annotationId);
  }

  forgiveWord(word: string): void {
    const known = this.#words.get(word);
    if (known) known.isForgiven = true;
  }

  /** The words that are lost or doubled in what is stored. */
  wrong(stored: readonly string[]): string[] {
    const counts = Map.groupBy(stored, (each) => each);
    return [...this.#words].flatMap(([word, { isForgiven, annotationId = "" }]) => {
      const count = counts.get(word)?.length ?? 0;
      return count > 1
        ? `${word} is doubled`
        : count === 0 && !isForgiven && !this.#deleted.has(annotationId)
          ? `${word} is lost`
          : [];
    });
  }
}
