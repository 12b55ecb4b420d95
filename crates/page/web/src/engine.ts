// The same engine as the program's, compiled to WebAssembly: runs, edits of model files, figures, spectra and sections.

import { embedded } from "./payload.ts";
import type { FigureRequest } from "./generated.ts";
import type { Figure } from "./plots/view.ts";
import type { Diagnostic, RefusalView, RunRequest } from "./types.ts";
import { type Answer, type Operation, Wasm } from "./wasm.ts";
import type { FromWorker } from "./worker.ts";
import source from "./worker.ts?inline";

/** What the engine says about a model that it cannot run. */
export class Refusal extends Error {
  constructor(
    readonly problems: Diagnostic[],
    text: string,
  ) {
    super(text);
  }
}

export class Cancelled extends Error {
  constructor() {
    super("cancelled");
  }
}

interface Job {
  id: number;
  operation: Operation;
  request: unknown;
  progress?: (share: number) => void;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

/** The compiled engine, from the page once it is asked for. */
let code: Promise<Uint8Array | null> | null = null;

export class Engine {
  #worker: Worker | null = null;
  #inline: Promise<Wasm> | null = null;
  #jobs: Job[] = [];
  #next = 1;

  /** Whether the page contains an engine. */
  get available(): boolean {
    return code !== null || !!document.getElementById("engine")?.textContent?.trim();
  }

  /** Compiles ahead, so that the first run does not wait for it. */
  async warm(): Promise<void> {
    const module = await (code ??= embedded("engine"));
    if (module) this.#start(module);
  }

  /** Container of the run, and how long it took (s). */
  async run(request: RunRequest, progress?: (share: number) => void): Promise<Answer> {
    return this.#good("run", request, progress);
  }

  /** The changed model file. */
  async edit(request: RunRequest): Promise<string> {
    return new TextDecoder().decode((await this.#good("edit", request)).bytes);
  }

  async figure(figure: Figure, format: FigureRequest["format"]): Promise<Uint8Array> {
    return (await this.#good("figure", { ...figure, format } satisfies FigureRequest)).bytes;
  }

  /** Spectra and sections; request and answer are plain containers. */
  async analyse(request: Uint8Array): Promise<Uint8Array> {
    return (await this.#good("analyse", request)).bytes;
  }

  /** Ends everything under way; the next request starts a new worker. */
  cancel(): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const job of this.#jobs.splice(0)) job.reject(new Cancelled());
  }

  async #good(operation: Operation, request: unknown, progress?: (share: number) => void): Promise<Answer> {
    const answer = await this.#call(operation, request, progress);
    if (answer.good) return answer;
    throw refusal(new TextDecoder().decode(answer.bytes));
  }

  async #call(operation: Operation, request: unknown, progress?: (share: number) => void): Promise<Answer> {
    if (typeof WebAssembly === "undefined") {
      throw new Error("this browser does not support WebAssembly, which the page's engine needs");
    }
    const module = await (code ??= embedded("engine"));
    if (!module) throw new Error("this page contains no engine");
    const worker = this.#inline ? null : this.#start(module);
    if (!worker) {
      this.#inline ??= Wasm.make(module, () => {});
      const wasm = await this.#inline;
      // A turn for the browser to show that something happens.
      await new Promise((resolve) => setTimeout(resolve, 30));
      return wasm.call(operation, request);
    }
    return new Promise((resolve, reject) => {
      const job: Job = { id: this.#next++, operation, request, progress, resolve, reject };
      this.#jobs.push(job);
      worker.postMessage({ id: job.id, operation, request });
    });
  }

  /** The worker; null where the browser has none for pages like this. */
  #start(code: Uint8Array): Worker | null {
    if (this.#worker) return this.#worker;
    try {
      const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
      const worker = new Worker(address);
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data);
      worker.onerror = (event) => {
        event.preventDefault();
        this.#retire(worker);
      };
      worker.postMessage({ code: code.slice().buffer });
      return (this.#worker = worker);
    } catch {
      return null;
    }
  }

  #hear(message: FromWorker): void {
    const at = this.#jobs.findIndex((job) => job.id === message.id);
    if (at < 0) return;
    if ("progress" in message) {
      this.#jobs[at].progress?.(message.progress);
      return;
    }
    const [job] = this.#jobs.splice(at, 1);
    if ("failure" in message) {
      // Its memory can no longer be trusted.
      this.#worker?.terminate();
      this.#worker = null;
      job.reject(new Error(`the engine stopped: ${message.failure}`));
    } else job.resolve(message);
  }

  /** A worker that cannot be used: its jobs go on in this thread. */
  #retire(worker: Worker): void {
    if (this.#worker !== worker) return;
    worker.terminate();
    this.#worker = null;
    const jobs = this.#jobs.splice(0);
    this.#inline ??= code!.then((code) => Wasm.make(code as unknown as BufferSource, () => {}));
    for (const job of jobs) this.#call(job.operation, job.request).then(job.resolve, job.reject);
  }
}

function refusal(text: string): Error {
  try {
    const said = JSON.parse(text) as Partial<RefusalView>;
    return new Refusal(said.problems ?? [], said.text ?? text);
  } catch {
    return new Error(text || "the engine did not answer");
  }
}

/** The engine of this page, for runs and model files. */
export const engine = new Engine();

/** A second engine for quick requests: figures, spectra and sections neither wait for a run nor are cancelled with one. */
export const helper = new Engine();
