// What the program writes into the page comes from the Rust types (generated.ts); what the page keeps of it is here.

import type { Boot, ModelFile, Payload, Ref } from "./generated.ts";

export type {
  AnalysisRequest,
  Boot,
  BodyShape,
  BodyView,
  CatalogueEntry,
  ContactView,
  ForceView,
  ImpactView as Impact,
  JointMode as Mode,
  JointSummary as ContactSummary,
  JointView,
  Knob,
  ModeRow as ModeSpan,
  Payload,
  Place,
  ProblemData as Diagnostic,
  Ref,
  RefusalView,
  RunRequest,
  Scene,
  SectionAnswer,
  SheetView as Sheet,
  SpectrumAnswer,
  Summary,
} from "./generated.ts";

/** The tables that a model refers to, by name. */
export type Tables = ModelFile["tables"];
export type Pair = [number, number];

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
  /** The joint that is looked at, among many. */
  watched: string | null;
  /** Of the primary run. */
  selectedImpact: number | null;
  busy: null | { label: string; progress: number };
  problem: string | null;
  theme: Theme;
}
