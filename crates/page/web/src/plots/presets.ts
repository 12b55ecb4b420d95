// The ready-made plots of a run.

import type { RunData } from "../types.ts";
import { channel, contactsOf, type Spec } from "./spec.ts";

export interface Preset {
  id: string;
  /** On its button. */
  name: string;
  spec: Spec;
  /** Shown from the start. */
  shown: boolean;
}

/** Position, speed and acceleration of a body or joint. */
interface Output {
  part: string;
  position: string;
  speed: string;
  acceleration: string;
}

const LINEAR_Y: [string, string, string] = ["y", "vy", "ay"];
const FAMILIES: [string, string, string][] = [
  ["x", "vx", "ax"],
  LINEAR_Y,
  ["angle", "omega", "alpha"],
  ["s", "v", "a"],
];

/** Outputs that the model file asks for, those of the last part first; without any, those of the last moving body. */
export function outputs(run: RunData): Output[] {
  const found = new Map<string, Output>();
  const asked = run.payload.channels.filter((c) => c.preset).map((c) => c.name);
  const bodies = run.payload.scene.bodies.filter((body) => !body.fixed).map((body) => body.name);
  // Bodies from the drive to the output; a joint counts less than any body.
  const parts = new Set([...run.payload.scene.joints.map((joint) => joint.name), ...bodies]);
  const add = (part: string, key: string): void => {
    const family = FAMILIES.find((keys) => keys.includes(key));
    if (!family || !parts.has(part)) return;
    const [position, speed, acceleration] = family.map((k) => `${part}.${k}`);
    if (run.channel(position) && run.channel(speed) && run.channel(acceleration)) {
      found.set(position, { part, position, speed, acceleration });
    }
  };
  for (const name of asked) add(name.slice(0, name.lastIndexOf(".")), name.slice(name.lastIndexOf(".") + 1));
  const last = bodies[bodies.length - 1];
  if (found.size === 0 && last !== undefined) {
    for (const key of ["x", "y", "angle"]) add(last, key);
  }
  const places = [...parts];
  return [...found.values()].sort((a, b) => places.indexOf(b.part) - places.indexOf(a.part));
}

export function presets(run: RunData): Preset[] {
  const list: Preset[] = [];
  const has = (name: string) => channel(run, name) !== null;
  const only = (names: string[]) => names.filter(has);
  const time = (id: string, name: string, title: string, left: string[], shown = false, right: string[] = []) => {
    const [l, r] = [only(left), only(right)];
    if (l.length > 0) list.push({ id, name, shown, spec: { kind: "time", id, title, left: l, right: r } });
  };
  const contacts = contactsOf(run);
  const joints = contacts.map((contact) => contact.joint);
  const several = joints.length > 1;
  const of = (joint: string) => (several ? ` · ${joint}` : "");

  time(
    "force",
    "Contact force",
    "Contact force",
    joints.map((joint) => `${joint}.force`),
    true,
  );
  time(
    "indentation",
    "Indentation",
    "Indentation",
    joints.map((joint) => `${joint}.penetration`),
  );
  const output = outputs(run)[0];
  if (output) {
    const { part, position, speed, acceleration } = output;
    const angular = position.endsWith(".angle") ? "angular " : "";
    time("output", "Acceleration", `${capital(part)}: ${angular}acceleration`, [acceleration], true);
    time("position", "Position", `${capital(part)}: ${angular ? "angle" : "position"}`, [position]);
    time("speed", "Speed", `${capital(part)}: ${angular}speed`, [speed]);
  }
  const efforts = run.payload.scene.drivers.flatMap(({ name }) => only([`${name}.torque`, `${name}.force`]));
  const moment = efforts.every((name) => name.endsWith(".torque"));
  time("drive", moment ? "Driving moment" : "Drive", moment ? "Driving moment" : "Driving force", efforts, true);
  for (const contact of contacts) {
    const { joint } = contact;
    const force = has(`${joint}.normal`) ? `${joint}.normal` : `${joint}.force`;
    if (has(force) && has(`${joint}.penetration`)) {
      const id = `loop-${joint}`;
      list.push({
        id,
        name: `Loop${of(joint)}`,
        shown: joint === joints[0],
        spec: {
          kind: "xy",
          id,
          title: `Force–indentation loop${of(joint)}`,
          x: `${joint}.penetration`,
          y: force,
          equal: false,
          joint,
        },
      });
    }
  }
  for (const contact of contacts) {
    const { joint, form } = contact;
    const [x, y] = form === "journal" ? [`${joint}.ex`, `${joint}.ey`] : [`${joint}.along`, `${joint}.across`];
    if (form === "external" || form === "stop" || !has(x) || !has(y)) continue;
    const id = `orbit-${joint}`;
    const title =
      form === "journal"
        ? "Journal orbit in its clearance"
        : form === "slot"
          ? "Pin position across its slot"
          : "Block position across its guide";
    list.push({
      id,
      name: `Orbit${of(joint)}`,
      shown: joint === joints[0],
      spec: { kind: "xy", id, title: title + of(joint), x, y, equal: form === "journal", joint },
    });
  }
  if (output) {
    const { part, position, speed, acceleration } = output;
    list.push({
      id: "phase",
      name: "Phase portrait",
      shown: false,
      spec: {
        kind: "xy",
        id: "phase",
        title: `${capital(part)}: phase portrait`,
        x: position,
        y: speed,
        equal: false,
        joint: null,
      },
    });
    if (run.payload.period !== null) {
      list.push({
        id: "section",
        name: "Poincaré",
        shown: false,
        spec: {
          kind: "section",
          id: "section",
          title: `${capital(part)}: Poincaré section`,
          x: position,
          y: speed,
          through: null,
          phase: 0,
        },
      });
    }
    list.push({
      id: "spectrum",
      name: "Spectrum",
      shown: false,
      spec: {
        kind: "spectrum",
        id: "spectrum",
        title: `${capital(part)}: spectrum of the acceleration`,
        channels: [acceleration],
      },
    });
  }
  if (run.payload.modes.length > 0) {
    list.push({
      id: "modes",
      name: "Modes",
      shown: false,
      spec: { kind: "modes", id: "modes", title: "Modes of the joints" },
    });
  }
  // E(t) − E(0) = work − loss.
  const energies = ["Δ kinetic", "Δ gravity", "Δ elastic", "Δ contact", "energy.work", "energy.loss"];
  time("energy", "Energy", "Energy ledger", energies, false, ["energy.residual"]);
  const ledger = list[list.length - 1];
  if (ledger?.spec.kind === "time" && ledger.id === "energy") ledger.spec.alone = true;
  return list;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
