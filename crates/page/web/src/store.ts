// The one owner of the state: views subscribe, and change it by actions only.
import { lastPlace } from "./order.ts";
import type { Boot, RunData, State, Theme } from "./types.ts";

export type Listener = (state: State, changed: Set<keyof State>) => void;

export class Store {
  #state: State;
  #listeners = new Set<Listener>();
  #pending: Set<keyof State> | null = null;

  constructor(boot: Boot) {
    const first = boot.models[0];
    this.#state = {
      boot,
      runs: [],
      primary: null,
      t: 0,
      playing: false,
      speed: 1,
      window: [0, 1],
      model: { name: first?.name ?? "", text: first?.text ?? "", tables: first?.tables ?? {} },
      watched: null,
      selectedImpact: null,
      busy: null,
      problem: null,
      theme: "auto",
    };
  }

  get state(): State {
    return this.#state;
  }

  /** The run that is animated. */
  get primary(): RunData | null {
    return this.#state.runs.find((r) => r.id === this.#state.primary) ?? null;
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Notifies once of all changes made inside. */
  batch(body: () => void): void {
    if (this.#pending) return body();
    const changed = (this.#pending = new Set<keyof State>());
    try {
      body();
    } finally {
      this.#pending = null;
      if (changed.size > 0) this.#tell(changed);
    }
  }

  setTime(t: number): void {
    const span = this.primary?.payload.span;
    if (!Number.isFinite(t)) return;
    this.#set({ t: span ? Math.min(span[1], Math.max(span[0], t)) : t });
  }

  play(): void {
    const run = this.primary;
    if (!run) return;
    this.batch(() => {
      if (this.#state.t >= run.payload.span[1]) this.setTime(run.payload.span[0]);
      this.#set({ playing: true });
    });
  }

  pause(): void {
    this.#set({ playing: false });
  }

  setSpeed(speed: number): void {
    if (speed > 0 && Number.isFinite(speed)) this.#set({ speed });
  }

  setWindow(a: number, b: number): void {
    if (!(b > a)) return;
    const [x, y] = this.#state.window;
    if (a !== x || b !== y) this.#set({ window: [a, b] });
  }

  /** Adds the run, or replaces the one with the same id in its place. */
  addRun(run: RunData): void {
    this.batch(() => {
      const at = this.#state.runs.findIndex((r) => r.id === run.id);
      const runs = this.#state.runs.slice();
      if (at >= 0) runs[at] = run;
      else runs.splice(lastPlace(runs, run), 0, run);
      this.#set({ runs });
      if (this.#state.primary === null) this.setPrimary(run.id);
      else if (this.#state.primary === run.id) this.#fit(run);
    });
  }

  removeRun(id: string): void {
    this.batch(() => {
      const runs = this.#state.runs.filter((r) => r.id !== id);
      if (runs.length === this.#state.runs.length) return;
      this.#set({ runs });
      if (this.#state.primary !== id) return;
      this.#set({ primary: null, selectedImpact: null });
      if (runs.length > 0) this.setPrimary(runs[0].id);
      else this.pause();
    });
  }

  setPrimary(id: string): void {
    const run = this.#state.runs.find((r) => r.id === id);
    if (!run || this.#state.primary === id) return;
    this.batch(() => {
      const first = this.#state.primary === null;
      this.#set({ primary: id, selectedImpact: null });
      this.#fit(run, first);
    });
  }

  setVisible(id: string, on: boolean): void {
    this.#set({ runs: this.#state.runs.map((r) => (r.id === id && r.visible !== on ? { ...r, visible: on } : r)) });
  }

  selectImpact(i: number | null): void {
    this.#set({ selectedImpact: i });
  }
  /** Looks at one joint among many. */
  watch(joint: string): void {
    this.#set({ watched: joint });
  }
  setModel(model: State["model"]): void {
    this.#set({ model });
  }
  setBusy(busy: State["busy"]): void {
    this.#set({ busy });
  }
  setProblem(problem: string | null): void {
    this.#set({ problem });
  }
  setTheme(theme: Theme): void {
    this.#set({ theme });
  }

  /** Keeps time and window inside the span of the run; resets them for a first run. */
  #fit(run: RunData, anew = false): void {
    const [a, b] = run.payload.span;
    const [x, y] = this.#state.window;
    if (anew || x < a || y > b) this.setWindow(a, b);
    if (anew) {
      this.setSpeed(defaultSpeed(b - a));
      this.setTime(a);
    } else {
      this.setTime(this.#state.t);
    }
  }

  #set(part: Partial<State>): void {
    const changed = new Set<keyof State>();
    for (const key of Object.keys(part) as (keyof State)[]) {
      if (!Object.is(this.#state[key], part[key])) changed.add(key);
    }
    if (changed.size === 0) return;
    this.#state = { ...this.#state, ...part };
    if (this.#pending) for (const key of changed) this.#pending.add(key);
    else this.#tell(changed);
  }

  #tell(changed: Set<keyof State>): void {
    for (const listener of [...this.#listeners]) listener(this.#state, changed);
  }
}

/** Speeds that the player offers (s of motion per s). */
export const SPEEDS = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

/** The whole run in about 20 s. */
export function defaultSpeed(span: number): number {
  const wanted = span / 20;
  return SPEEDS.reduce((best, x) => (Math.abs(Math.log(x / wanted)) < Math.abs(Math.log(best / wanted)) ? x : best));
}
