import { readFileSync } from 'node:fs'

/** The part of `WebAssembly` that is used; its types come with those of browsers only. */
interface WasmApi {
  Module: new (bytes: Buffer) => object
  Instance: new (module: object, imports: object) => { readonly exports: object }
}

const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: WasmApi }

/** The build puts modules there; the path is the same from the sources and from the built folder. */
const FOLDER = new URL('../../dist/', import.meta.url)

/** A module in WebAssembly, by the name of its file and by what it exports. It is read when it is first needed. */
export class WasmModule<Exports extends object> {
  private readonly file: string
  private compiled: object | undefined

  constructor(file: string) {
    this.file = file
  }

  /** An instance with a memory of its own. */
  instantiate(imports: object = {}): Exports {
    this.compiled ??= new wasm.Module(readFileSync(new URL(this.file, FOLDER)))
    return new wasm.Instance(this.compiled, imports).exports as Exports
  }
}
