// A text that only the code which needs it can read. It cannot become a part of JSON, of a text or of a stored item,
// and a printed object does not show it.
import { inspect } from "node:util";

export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Call it where the text is used, and keep the result in no object. */
  reveal(): string {
    return this.#text;
  }

  /** An error, since whoever reads a placeholder would take it for the secret. */
  toJSON(): never {
    throw new TypeError("A secret is not written.");
  }

  [Symbol.toPrimitive](): never {
    return this.toJSON();
  }

  [inspect.custom](): string {
    return "[secret]";
  }
}
