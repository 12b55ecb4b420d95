// Runs of the engine inside the page: one at a time, the last wish counts.

import { Cancelled, engine } from "./engine.ts";
import { freeColor } from "./order.ts";
import { decodePlain, runData } from "./payload.ts";
import type { Store } from "./store.ts";
import type { Role, RunData, RunRequest } from "./types.ts";

export interface Wish {
  request: RunRequest;
  id: string;
  label: string | null | ((law: string) => string);
  role: Role;
  animate: boolean;
}

/** A run under way that is older than this is ended for a newer wish, a younger one is awaited (ms). */
const PATIENCE = 350;

export class Session {
  #waiting: Wish | null = null;
  #running: { wish: Wish; since: number } | null = null;
  /** How long the last run took (s). */
  last = 0;

  constructor(
    private store: Store,
    private told: { done(run: RunData, wish: Wish): void; failed(error: Error, wish: Wish): void; state(): void },
  ) {}

  get busy(): boolean {
    return this.#running !== null;
  }

  ask(wish: Wish): void {
    this.#waiting = wish;
    if (this.#running && performance.now() - this.#running.since > PATIENCE) engine.cancel();
    void this.#go();
  }

  cancel(): void {
    this.#waiting = null;
    engine.cancel();
  }

  async #go(): Promise<void> {
    if (this.#running || !this.#waiting) return;
    const wish = this.#waiting;
    this.#waiting = null;
    const since = performance.now();
    this.#running = { wish, since };
    const doing = `Running ${wish.request.name}`;
    this.store.setBusy({ label: doing, progress: 0 });
    this.told.state();
    try {
      const { bytes, seconds } = await engine.run(wish.request, (progress) =>
        this.store.setBusy({ label: doing, progress }),
      );
      const container = decodePlain(bytes);
      this.last = seconds;
      // The engine has no clock of its own.
      container.payload.summary.wall_seconds ||= seconds;
      const { runs } = this.store.state;
      const before = runs.find((run) => run.id === wish.id);
      const color = wish.role === "ideal" ? 6 : (before?.color ?? freeColor(runs));
      const { law } = container.payload;
      const label = typeof wish.label === "function" ? wish.label(law) : (wish.label ?? law);
      const run = runData(container, wish.id, label, wish.role, color);
      if (before) run.visible = before.visible;
      this.store.batch(() => {
        this.store.addRun(run);
        if (wish.animate) this.store.setPrimary(run.id);
      });
      this.told.done(run, wish);
    } catch (error) {
      if (!(error instanceof Cancelled))
        this.told.failed(error instanceof Error ? error : new Error(String(error)), wish);
    } finally {
      this.#running = null;
      if (!this.#waiting) this.store.setBusy(null);
      this.told.state();
      void this.#go();
    }
  }
}
