import { WasmModule } from '../../lib/wasm-module.ts'

/** The kinds of texts that the module asks for. */
export const STRING_KINDS = {
  dictionary: 1,
  genre: 2,
  service: 3,
  addon: 4,
  audios: 5,
  subtitles: 6,
  price: 7,
} as const

/** Adds a text to the table of the module. */
export type LoadString = (kind: number, place: number, number: number, part: number) => void

/** What comes next of the seasons of a show. */
export const NEXT_PARTS = ['end', 'season', 'episode', 'endOfEpisodes'] as const

/** What `server/printer` exports. Addresses and sizes are in bytes; an address of 0 is that of nothing. */
export interface PrinterModule {
  readonly memory: { readonly buffer: ArrayBuffer }
  allocate(size: number): number
  setContext(language: number, now: number, soonSeconds: number, members: number, shape: number): void
  setCountries(count: number): number
  getValidUntil(): number
  outputStart(): number
  outputEnd(): number
  outputSize(): number
  extendOutput(size: number): number
  truncateOutput(size: number): void
  printShow(entry: number, withSeasons: number): number
  printOptions(entry: number): void
  openSeasons(entry: number, withEpisodes: number): void
  printSeasons(maxSize: number): number
  nextPart(): number
  hasEpisodes(): number
  endEpisodes(): void
  printItem(): void
  addString(kind: number, place: number, number: number, part: number, size: number): number
  clearStrings(): void
  stringBytes(): number
}

const printerModule = new WasmModule<PrinterModule>('printer.wasm')

/** A printer with a memory of its own. */
export function instantiatePrinter(loadString: LoadString): PrinterModule {
  return printerModule.instantiate({ strings: { loadString } })
}

/** The memory of a printer as bytes and as words of 32 bits; it is in another buffer after it has grown. */
export class PrinterMemory {
  private readonly memory: PrinterModule['memory']
  private byteView: Buffer = Buffer.alloc(0)
  private wordView = new Uint32Array(0)

  constructor({ memory }: PrinterModule) {
    this.memory = memory
  }

  get bytes(): Buffer {
    // Memory that grows detaches the views of it.
    if (this.byteView.length === 0) this.byteView = Buffer.from(this.memory.buffer)
    return this.byteView
  }

  get words(): Uint32Array {
    if (this.wordView.length === 0) this.wordView = new Uint32Array(this.memory.buffer)
    return this.wordView
  }
}
