// The settings of the panel: numbers, law, other keys and the text of the model, as plain data.

import { describe, lawOverride, type LawParts, override, parseSets, partsOf } from "../knobs.ts";
import type { Knob, RunData, RunRequest, State } from "../types.ts";

const AS_IT_IS: LawParts = { elastic: null, damping: null, friction: null };

export class Choice {
  /** Knobs that differ from the model, by key. */
  readonly #values = new Map<string, number>();
  /** Parts of the law that are picked. */
  law: LawParts = AS_IT_IS;
  /** Other keys, `key = value; …`, as typed. */
  keys = "";
  /** The text of the model, where it is not that of the page. */
  text: string | null = null;

  value(knob: Knob): number {
    return this.#values.get(knob.key) ?? knob.value;
  }

  turn(knob: Knob, value: number): void {
    if (value === knob.value) this.#values.delete(knob.key);
    else this.#values.set(knob.key, value);
  }

  turned(knob: Knob): boolean {
    return this.#values.has(knob.key);
  }

  /** Whether anything is not as in the model. */
  get dirty(): boolean {
    const picked = Object.values(this.law).some((part) => part !== null);
    return this.#values.size > 0 || this.text !== null || parseSets(this.keys).length > 0 || picked;
  }

  clear(): void {
    this.#values.clear();
    this.law = AS_IT_IS;
    this.keys = "";
    this.text = null;
  }

  /** The request to the engine, as a change of this run. */
  request(base: RunData | null, { model, boot }: State): RunRequest {
    const knobs = (base?.payload.knobs ?? []).filter((knob) => this.turned(knob));
    const sets = [...knobs.map((knob) => override(knob, this.value(knob))), ...parseSets(this.keys)];
    const current = base ? partsOf(base.payload.law, boot.catalogue) : this.law;
    // Compared runs have laws of their own, which the model file does not say.
    const own = boot.kind === "compare" ? lawOverride(current, current) : null;
    const law = lawOverride(this.law, current) ?? own;
    return { name: model.name, text: this.text ?? model.text, tables: model.tables, sets, law, ideal: false };
  }

  /** The same in words. */
  words(base: RunData | null, law: string): string {
    const all = base?.payload.knobs ?? [];
    const changes = all.filter((knob) => this.turned(knob)).map((knob) => ({ knob, value: this.value(knob) }));
    return describe(law, changes, parseSets(this.keys), this.text !== null, all);
  }
}
