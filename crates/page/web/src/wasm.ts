// Calls into the compiled engine: a request as JSON or as a container in, bytes out.

export type Operation = "run" | "edit" | "figure" | "analyse";

interface Exports {
  memory: WebAssembly.Memory;
  input(length: number): number;
  run(): number;
  edit(): number;
  figure(): number;
  analyse(): number;
  output(): number;
  output_len(): number;
}

/** What came back, and how long the call took (s). */
export interface Answer {
  good: boolean;
  bytes: Uint8Array;
  seconds: number;
}

export class Wasm {
  private constructor(private readonly exports: Exports) {}

  static async make(code: BufferSource, progress: (t: number, until: number) => void): Promise<Wasm> {
    const { instance } = await WebAssembly.instantiate(code, { env: { progress } });
    return new Wasm(instance.exports as unknown as Exports);
  }

  call(operation: Operation, request: unknown): Answer {
    const { exports } = this;
    const text = request instanceof Uint8Array ? request : new TextEncoder().encode(JSON.stringify(request));
    const at = exports.input(text.length) >>> 0;
    new Uint8Array(exports.memory.buffer, at, text.length).set(text);
    const before = performance.now();
    const good = exports[operation]() === 0;
    const seconds = (performance.now() - before) / 1000;
    const from = exports.output() >>> 0;
    return { good, bytes: new Uint8Array(exports.memory.buffer, from, exports.output_len() >>> 0).slice(), seconds };
  }
}
