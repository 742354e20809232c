import { TemplateError } from "./template-error.ts";

/** Where in a JSON text one is: inside a string or not. Reads the text piece by piece. */
export class JsonPosition {
  #inString = false;
  /** How many characters of an escape sequence are still to come; "\u" has four after it. */
  #escape = 0;

  get inString(): boolean {
    return this.#inString;
  }

  read(text: string): void {
    for (let at = 0; at < text.length; at += 1) this.#step(text[at] ?? "");
  }

  /** @throws TemplateError when a value cannot stand here: it would become part of an escape */
  expectValue(source: string): void {
    if (this.#escape > 0) throw new TemplateError(`A backslash stands before ${source}`);
  }

  #step(character: string): void {
    if (this.#escape === 1 && character === "u" && this.#startsEscape) {
      this.#escape = 4;
      this.#startsEscape = false;
    } else if (this.#escape > 0) {
      this.#escape -= 1;
      this.#startsEscape = false;
    } else if (this.#inString && character === "\\") {
      this.#escape = 1;
      this.#startsEscape = true;
    } else if (character === '"') {
      this.#inString = !this.#inString;
    }
  }

  #startsEscape = false;
}
