// The field for any other key of the model file.

import { h } from "../dom.ts";
import { strangeSets } from "../knobs.ts";
import type { Choice } from "./choice.ts";

const EXAMPLE = "run.until = 1 s";

export class KeysField {
  readonly element: HTMLElement;
  #input: HTMLInputElement;
  #hint = h("span.field-hint", {
    id: "whatif-set-hint",
    role: "status",
    "data-testid": "whatif-set-hint",
    hidden: true,
  });

  constructor(
    private choice: Choice,
    changed: () => void,
  ) {
    this.#input = h<HTMLInputElement>("input", {
      type: "text",
      placeholder: EXAMPLE,
      title: "Any key of the model file; separate several with ;",
      spellcheck: "false",
      autocomplete: "off",
      "data-testid": "whatif-set",
      "aria-describedby": "whatif-set-hint",
      onchange: () => {
        if (this.understood()) changed();
      },
      oninput: () => {
        choice.keys = this.#input.value;
        if (this.#input.hasAttribute("aria-invalid")) this.understood();
      },
    });
    this.element = h("label", {}, "Any other key", this.#input, this.#hint);
  }

  /** Shows what the choice has. */
  refresh(): void {
    this.#input.value = this.choice.keys;
    this.understood();
  }

  /** Whether what is typed is understood; says what is expected where it is not. */
  understood(): boolean {
    const [strange] = strangeSets(this.choice.keys);
    const good = strange === undefined;
    this.#hint.hidden = good;
    this.#hint.textContent = good ? "" : `“${strange}” is not valid; write key = value, such as ${EXAMPLE}`;
    if (good) this.#input.removeAttribute("aria-invalid");
    else this.#input.setAttribute("aria-invalid", "true");
    return good;
  }

  /** Begins to set this key. */
  suggest(key: string): void {
    const before = this.choice.keys.trim();
    this.choice.keys = `${before ? `${before}; ` : ""}${key} = `;
    this.#input.value = this.choice.keys;
    this.#input.focus();
  }
}
