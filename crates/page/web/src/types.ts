// What the program writes into the page (crates/view, crates/page) and what the page keeps of it.

/** The tables that a model refers to, by name. */
export type Tables = Record<string, string>;

export interface Boot {
  kind: "run" | "compare" | "playground";
  title: string;
  program: { version: string; engine_sources: string };
  models: { name: string; title: string; text: string; tables: Tables }[];
  runs: { label: string; role: "recorded" | "ideal" }[];
  catalogue: CatalogueEntry[];
}

export interface CatalogueEntry {
  id: string;
  title: string;
  family: "point" | "cylinder" | "damping" | "plastic" | "friction";
  summary: string;
}

/** Numbers at … at + n − 1 of the data of a container. */
export interface Ref {
  at: number;
  n: number;
}
export type Pair = [number, number];
export type Mode = "free-flight" | "impact" | "continuous-contact";

export interface Payload {
  format: 1;
  program: { name: "jointplay"; version: string };
  model: { name: string; description: string | null; digest: string; changes: string[]; text: string };
  law: string;
  ideal: boolean;
  settings: { until: number; method: string; rtol: number; formulation: string; interval: number };
  summary: Summary;
  notes: string[];
  span: Pair;
  samples: number;
  /** Not decreasing; at an event two samples have the same time (before and after). */
  times: Ref;
  channels: Channel[];
  impacts: Impact[];
  modes: ModeSpan[];
  sheets: Sheet[];
  knobs: Knob[];
  /** Of a driver with constant speed (s). */
  period: number | null;
  scene: Scene;
}

export interface Channel {
  name: string;
  unit: string;
  values: Ref;
  preset: boolean;
}

export interface Summary {
  outcome: string;
  message: string | null;
  t_end: number;
  wall_seconds: number | null;
  steps: number;
  rhs_evaluations: number;
  energy_residual: number | null;
  energy_residual_joule: number | null;
  energy_books_joule: number | null;
  energy_drift_joule: number | null;
  energy_late_joule: number | null;
  contacts: Record<string, ContactSummary>;
  warnings: string[];
}

export interface ContactSummary {
  impacts: number;
  open: number | boolean | null;
  first_impact_time: number | null;
  first_impact_speed: number | null;
  max_impact_speed: number | null;
  peak_force: number | null;
  peak_force_time: number | null;
  max_indentation: number | null;
  restitution_in: number | null;
  restitution_out: number | null;
  /** What free impacts at the same speeds return. */
  restitution_free: number | null;
  contact_fraction: number | null;
  impact_fraction: number | null;
  continuous_fraction: number | null;
  loss_normal: number | null;
  loss_friction: number | null;
  seam_energy: number | null;
  out_of_domain: number | null;
}

export interface Impact {
  joint: string;
  region: string;
  start: number;
  end: number;
  impact_speed: number;
  max_indentation: number;
  max_force: number;
  duration: number;
  impulse: number;
  restitution: number | null;
  /** What a free impact at this speed returns. */
  free_restitution: number | null;
  loss_normal: number;
  loss_friction: number;
  out_of_domain: number;
  mode: string;
  open: boolean;
  peak_time: number;
}

export interface ModeSpan {
  joint: string;
  mode: Mode;
  start: number;
  end: number;
}

export interface Sheet {
  id: string;
  title: string;
  family: string;
  /** MathML. */
  formula: string;
  source: string;
  domain: string;
  /** The part of the domain that has numbers. */
  bounds: string[];
  /** How it came out in the run. */
  checks: { joint: string; verdict: "inside" | "outside" | "unchecked"; text: string }[];
  notes: string[];
  joints: string[];
  parameters: { name: string; symbol: string; unit: string; value: number }[];
}

export interface Knob {
  label: string;
  joint: string | null;
  what: "clearance" | "restitution" | "friction" | "speed";
  unit: string;
  value: number;
  /** From where to where it may be turned. */
  range: [number, number];
  log: boolean;
  /** Override: key = offset + factor · value. */
  key: string;
  offset: number;
  factor: number;
}

export interface Scene {
  gravity: Pair;
  /** xmin, ymin, xmax, ymax of everything drawn over the whole motion (m). */
  bounds: [number, number, number, number];
  /** Characteristic length (m). */
  size: number;
  bodies: BodyView[];
  joints: JointView[];
  contacts: ContactView[];
  forces: ForceView[];
  drivers: { name: string; a: Place | null; kind: "angle" | "length"; effort: Ref }[];
}

export interface BodyView {
  name: string;
  fixed: boolean;
  x: Ref;
  y: Ref;
  angle: Ref;
  shapes: Shape[];
}

export interface JointView {
  name: string;
  type: "revolute" | "prismatic" | "slot" | "weld" | "rod";
  kind: "ideal" | "bushing" | "clearance";
  a: Place;
  b: Place;
  /** Force of a on b in the world (N). */
  fx: Ref | null;
  fy: Ref | null;
}

export interface ForceView {
  name: string;
  type: "spring" | "load" | "torque" | "torsion-spring" | "bushing";
  a: Place | null;
  b: Place | null;
  fx: Ref | null;
  fy: Ref | null;
  moment: Ref | null;
}

/** A place in the frame of a body. */
export interface Place {
  body: number;
  at: Pair;
  direction: Pair;
}

export type Shape =
  | { type: "link"; points: Pair[] }
  | { type: "block"; centre: Pair; direction: Pair; length: number; height: number }
  | { type: "disc"; centre: Pair; radius: number };

export interface ContactView {
  joint: string;
  form: "journal" | "slot" | "block" | "external" | "stop";
  wall_body: number;
  pin_body: number;
  /** Centre in the frame of the pin's body. */
  pin: Pair;
  pin_radius: number;
  /** Radial for journal and slot, each side for block (m); 0 for external and stop. */
  clearance: number;
  /** In the frame of the wall's body; normals point into free space. */
  walls: { region: string; points: Pair[]; normals: Pair[] }[];
  /** Centre line in the frame of the wall's body. */
  middle: Pair[];
  block: { length: number; height: number } | null;
  /** Pin centre (block: its middle) in the frame of the wall's body, and angle relative to it. */
  px: Ref;
  py: Ref;
  turn: Ref;
  /** Of a slot or a guide: place of the pin along and across the centre line (m). */
  along: Ref | null;
  across: Ref | null;
  touch: {
    /** Touches at sample i: entries first[i] … first[i + 1] − 1. */
    first: Ref;
    x: Ref;
    y: Ref;
    fx: Ref;
    fy: Ref;
    nx: Ref;
    ny: Ref;
    region: string[];
    of: Ref;
  };
}

/** A spectrum or a section of series that the engine is asked for. */
export type AnalysisRequest =
  | { kind: "spectrum"; times: Ref; values: Ref; span: Pair; interval: number }
  | { kind: "stroboscope"; times: Ref; x: Ref; y: Ref; span: Pair; at: { period: number; phase: number } }
  | { kind: "crossing"; times: Ref; x: Ref; y: Ref; span: Pair; through: Ref; level: number };

export interface SpectrumAnswer {
  frequency: Ref;
  amplitude: Ref;
}

export interface SectionAnswer {
  t: Ref;
  x: Ref;
  y: Ref;
}

export type Role = "recorded" | "ideal" | "whatif";

export interface RunData {
  id: string;
  label: string;
  role: Role;
  payload: Payload;
  times: Float64Array;
  /** Place in the palette. */
  color: number;
  visible: boolean;
  /** A what-if run that does not belong to what the panel shows now: drawn pale. */
  outdated?: boolean;
  channel(name: string): Float64Array | null;
  unit(name: string): string;
  /** View on the data. */
  ref(r: Ref): Float64Array;
}

export type Theme = "light" | "dark" | "auto";

export interface State {
  boot: Boot;
  runs: RunData[];
  /** Run that is animated. */
  primary: string | null;
  t: number;
  playing: boolean;
  /** Seconds of motion per second. */
  speed: number;
  /** Visible span of the time plots. */
  window: Pair;
  model: { name: string; text: string; tables: Tables };
  /** Of the primary run. */
  selectedImpact: number | null;
  busy: null | { label: string; progress: number };
  problem: string | null;
  theme: Theme;
}
