// The numbers of joints. Which there are, what they are called and where they are shown is the program's list (JOINT_NUMBERS).

import { NONE, number, percent, quantity } from "./format.ts";
import { JOINT_NUMBERS, type JointNumber, type JointSummary, type JointTable } from "./generated.ts";

/** The numbers that a table shows, in its order. */
export function shownIn(table: JointTable): JointNumber[] {
  return JOINT_NUMBERS.filter((it) => it.tables.includes(table));
}

/** A number of a joint as people read it. */
export function written({ form }: JointNumber, value: number | null): string {
  if (value === null) return NONE;
  if (form === "share") return percent(value);
  if (form === "count" || form === "ratio") return number(value);
  return quantity(value, form.quantity);
}

/** What a card says beside a number. */
const NOTES: Partial<Record<JointNumber["key"], (joint: JointSummary) => string | null>> = {
  peak_force: ({ peak_force_time: t }) => (t === null ? null : `at ${quantity(t, "s")}`),
  restitution_out: restitutionNote,
  loss: ({ loss_friction: friction }) => (friction ? `friction ${quantity(friction, "J", 2)}` : null),
};

/** The specified restitution, and that of free impacts if it differs. */
function restitutionNote(joint: JointSummary): string | null {
  const { restitution_in: specified, restitution_free: free, restitution_out: out } = joint;
  const differs = free !== null && out !== null && Math.abs(free - out) > 0.01;
  const notes = [
    specified === null ? null : `specified ${number(specified, 2)}`,
    differs ? `free impacts ${number(free, 2)}` : null,
  ];
  return notes.filter((text) => text !== null).join(", ") || null;
}

export interface CardNumber {
  title: string;
  meaning: string;
  text: string;
  note: string | null;
}

/** The numbers on the card of a joint. */
export function cardNumbers(joint: JointSummary): CardNumber[] {
  return shownIn("card").map((it) => ({
    title: it.title,
    meaning: it.meaning,
    text: written(it, joint[it.key]),
    note: NOTES[it.key]?.(joint) ?? null,
  }));
}
