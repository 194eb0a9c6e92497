/** The part of WebAssembly that is used here: TypeScript declares it only together with the browser's DOM. */
declare namespace WebAssembly {
  class Memory {
    constructor(size: { initial: number; maximum?: number });
    readonly buffer: ArrayBuffer;
  }
  class Module {
    constructor(bytes: Uint8Array);
    static imports(module: Module): { module: string; name: string; kind: string }[];
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
  let instantiate: (
    source: Uint8Array | Module,
    imports?: Record<string, Record<string, unknown>>,
  ) => Promise<unknown>;
}
