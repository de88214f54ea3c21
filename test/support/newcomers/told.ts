// What the newcomers have written, each text once: which of it must be stored in the end, and which may be.

/**
 * A text that is `sent` or `stored` must be there in the end, once, and one that is `removed` must not. A `maybe` can be
 * there, once.
 */
type Fate = "sent" | "stored" | "removed" | "maybe";

export class Told {
  readonly #fates = new Map<string, Fate>();
  readonly #form: RegExp;
  readonly #marks: string;

  /** `marks`: what is before and behind the number of each text. */
  constructor(marks: string) {
    this.#marks = marks;
    this.#form = new RegExp(`${marks[0]}\\d+${marks[1]}`, "g");
  }

  /** A new text, which a page sends now. */
  new(): string {
    const text = `${this.#marks[0]}${this.#fates.size}${this.#marks[1]}`;
    this.#fates.set(text, "sent");
    return text;
  }

  /** The texts among what is shown. */
  in(shown: string): string[] {
    return shown.match(this.#form) ?? [];
  }

  /** The service has said that it is stored. */
  stored(text: string): void {
    if (this.#fates.get(text) === "sent") this.#fates.set(text, "stored");
  }

  removed(text: string): void {
    this.#fates.set(text, "removed");
  }

  /** It was not sent to the end, or not removed. */
  unsure(text: string): void {
    this.#fates.set(text, "maybe");
  }

  fateOf(text: string): Fate | undefined {
    return this.#fates.get(text);
  }

  count(fate: Fate): number {
    return [...this.#fates.values()].filter((each) => each === fate).length;
  }

  /** The texts that were sent, and that the service never took. */
  unsent(shown: string): string[] {
    const all = new Set(this.in(shown));
    return [...this.#fates].flatMap(([text, fate]) => (fate === "sent" && !all.has(text) ? text : []));
  }

  /** The texts that are lost, doubled, or there although they were removed. */
  wrong(shown: string): string[] {
    const counts = Map.groupBy(this.in(shown), (each) => each);
    return [...this.#fates].flatMap(([text, fate]) => {
      const count = counts.get(text)?.length ?? 0;
      if (count > 1) return `${text} is doubled`;
      if (count === 0) return fate === "sent" || fate === "stored" ? `${text} is lost, and was ${fate}` : [];
      return fate === "removed" ? `${text} is not removed` : [];
    });
  }
}
