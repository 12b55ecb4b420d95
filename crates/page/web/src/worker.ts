// The engine in a thread of its own.

import { type Operation, Wasm } from "./wasm.ts";

export type ToWorker = { code: ArrayBuffer } | { id: number; operation: Operation; request: unknown };
export type FromWorker =
  | { id: number; progress: number }
  | { id: number; good: boolean; bytes: Uint8Array; seconds: number }
  | { id: number; failure: string };

const scope = self as unknown as {
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
};

let engine: Promise<Wasm> | null = null;
let current = 0;
let told = 0;

/** Shares of the run, at most 30 a second. */
function progress(t: number, until: number): void {
  const now = performance.now();
  if (now - told < 33) return;
  told = now;
  scope.postMessage({ id: current, progress: until > 0 ? t / until : 0 });
}

scope.onmessage = ({ data }) => void hear(data);

async function hear(data: ToWorker): Promise<void> {
  if ("code" in data) {
    engine = Wasm.make(data.code, progress);
    return;
  }
  const { id, operation, request } = data;
  try {
    const wasm = await engine!;
    current = id;
    const answer = wasm.call(operation, request);
    scope.postMessage({ id, ...answer }, [answer.bytes.buffer]);
  } catch (error) {
    scope.postMessage({ id, failure: error instanceof Error ? error.message : String(error) });
  }
}
