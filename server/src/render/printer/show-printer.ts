import type { Catalog } from '../../catalog/catalog.ts'
import { CacheMeter } from '../../lib/cache.ts'
import { EXPIRES_SOON_SECONDS } from '../../model/offer.ts'
import type { FieldTree } from '../../query/queries.ts'
import type { ReferenceRenderer } from '../reference-renderer.ts'
import type { RenderOptions } from '../render-options.ts'
import { ALL_OPTION_MEMBERS, chooseJson, type OptionFields } from '../shape-object.ts'
import { instantiatePrinter, NEXT_PARTS, PrinterMemory, type PrinterModule, STRING_KINDS } from './printer-module.ts'
import { type RecordDocuments, type ShowRecords, UncachedRecords } from './show-records.ts'

/** Memory for texts that shows share: services, languages, prices. All are dropped beyond that. */
const MAX_STRING_BYTES = 48 * 1024 * 1024

/** Different choices of the members of options. */
const MAX_SHAPES = 1000

/** How much of a large series is printed in one turn of the event loop. */
export const SLICE_BYTES = 256 * 1024

const COMMA = 0x2c

/** A code unit of a text takes so many bytes in UTF-8 at most. */
const MAX_UNIT_BYTES = 3

/** A printer that reads the records of each show anew, from a catalog or a snapshot of its documents. */
export function createUncachedPrinter({ documents, dictionary }: PrintedCatalog): ShowPrinter {
  return new ShowPrinter(dictionary, (module, memory) => new UncachedRecords(documents, module, memory))
}

interface PrintedCatalog {
  readonly documents: RecordDocuments
  readonly dictionary: Catalog['dictionary']
}

/** What comes next of the seasons of a show. */
type NextPart = (typeof NEXT_PARTS)[number]

/**
 * Prints shows as JSON into one output, from the records of their documents. Copying and joining the pieces is done by a module in
 * WebAssembly (`server/printer`), many times faster than here; this class gives it records and the texts that shows share.
 */
export class ShowPrinter<Records extends ShowRecords = ShowRecords> {
  readonly records: Records
  readonly strings = new CacheMeter('strings', MAX_STRING_BYTES)
  private readonly dictionary: Catalog['dictionary']
  private readonly module: PrinterModule
  private readonly memory: PrinterMemory
  private reference: ReferenceRenderer | undefined
  private dictionaryGeneration: number
  /** The choices of members that texts were printed for, by their number minus one. */
  private readonly shapes: OptionFields[] = []
  private granularity: RenderOptions['granularity'] = 'show'
  private isOptionsOnly = false

  /** @param createRecords makes what gives the records of shows, in the memory of the printer */
  constructor(
    dictionary: Catalog['dictionary'],
    createRecords: (module: PrinterModule, memory: PrinterMemory) => Records,
  ) {
    this.dictionary = dictionary
    this.dictionaryGeneration = dictionary.generation
    this.module = instantiatePrinter(this.loadString)
    this.memory = new PrinterMemory(this.module)
    this.records = createRecords(this.module, this.memory)
  }

  /** Sets what shows are printed for from here on, and forgets until when the last ones are valid. */
  setOptions(options: RenderOptions): void {
    const { countries, language, granularity, now, reference, optionFields, isOptionsOnly = false } = options
    const { module } = this
    this.dropOldStrings(reference)
    const shape = optionFields === undefined ? 0 : this.shapeNumber(optionFields)
    const members = optionFields === undefined ? ALL_OPTION_MEMBERS : optionFields.bits
    module.setContext(codeOf(language), now, EXPIRES_SOON_SECONDS, members, shape)
    const address = module.setCountries(countries?.length ?? -1)
    const { bytes } = this.memory
    countries?.forEach((country, i) => {
      bytes.writeUInt16LE(codeOf(country), address + 2 * i)
    })
    this.granularity = granularity
    this.isOptionsOnly = isOptionsOnly
  }

  /** The instant until which all shows are valid that were printed with the present options, within the catalog version. */
  get validUntil(): number {
    return this.module.getValidUntil()
  }

  /** The number of bytes in the output. */
  get size(): number {
    return this.module.outputSize()
  }

  /** Drops what is behind a number of bytes. */
  truncate(size: number): void {
    this.module.truncateOutput(size)
  }

  /** The output from a position on, without a copy: valid until something is printed. */
  view(start = 0): Buffer {
    const { module } = this
    return this.memory.bytes.subarray(module.outputStart() + start, module.outputEnd())
  }

  addText(text: string): void {
    const { module } = this
    // Counting the bytes first would take as long as writing them.
    const address = module.extendOutput(MAX_UNIT_BYTES * text.length)
    const size = this.memory.bytes.write(text, address)
    module.truncateOutput(address - module.outputStart() + size)
  }

  addBytes(bytes: Buffer): void {
    const address = this.module.extendOutput(bytes.length)
    this.memory.bytes.set(bytes, address)
  }

  addComma(): void {
    const address = this.module.extendOutput(1)
    this.memory.bytes[address] = COMMA
  }

  /**
   * Prints a show up to its seasons, or all of it if it has none to print. Returns whether it is whole; undefined if its records are
   * larger than there is room for.
   */
  beginShow(doc: number): boolean | undefined {
    const { module, granularity } = this
    const show = this.records.loadShow(doc)
    if (show === undefined) return undefined
    if (this.isOptionsOnly) {
      this.addText('{"streamingOptions":')
      module.printOptions(show)
      this.addText('}')
      return true
    }
    if (module.printShow(show, granularity === 'show' ? 0 : 1) === 0) return true
    const seasons = this.records.loadSeasons(doc)
    if (seasons === undefined) return undefined
    module.openSeasons(seasons, granularity === 'episode' ? 1 : 0)
    return false
  }

  /** Prints seasons of the show that was begun until the output has a size or the show is whole; returns whether it is. */
  printSeasons(maxSize = MAX_SIZE): boolean {
    return this.module.printSeasons(Math.min(maxSize, MAX_SIZE)) !== 0
  }

  /** What comes next of the seasons of the show that was begun. */
  nextPart(): NextPart {
    return NEXT_PARTS[this.module.nextPart()] as NextPart
  }

  /** Prints the season or the episode that comes next, but for the end of its object. */
  printItem(): void {
    this.module.printItem()
  }

  /** Whether the season that was printed last has a list of episodes, which come next. */
  hasEpisodes(): boolean {
    return this.module.hasEpisodes() !== 0
  }

  /** Goes on to the season behind a list of episodes. */
  endEpisodes(): void {
    this.module.endEpisodes()
  }

  private shapeNumber(fields: OptionFields): number {
    const known = this.shapes.findIndex(({ name }) => name === fields.name)
    return known >= 0 ? known + 1 : this.shapes.push(fields)
  }

  /** Drops all texts when some of them have changed, or when they take too much memory. */
  private dropOldStrings(reference: ReferenceRenderer): void {
    const { module, strings, dictionary } = this
    const isFull = module.stringBytes() > MAX_STRING_BYTES || this.shapes.length >= MAX_SHAPES
    const isOld = this.reference !== reference || this.dictionaryGeneration !== dictionary.generation
    if (!isFull && !isOld) return
    if (isFull) strings.evictions += strings.entries
    module.clearStrings()
    this.shapes.length = 0
    strings.entries = 0
    strings.bytes = 0
    this.reference = reference
    this.dictionaryGeneration = dictionary.generation
  }

  private readonly loadString = (kind: number, place: number, number: number, part: number): void => {
    const text = this.stringOf(kind, place, number, part)
    const size = Buffer.byteLength(text)
    const address = this.module.addString(kind, place, number, part, size)
    this.memory.bytes.write(text, address)
    this.strings.misses++
    this.strings.entries++
    this.strings.bytes = this.module.stringBytes()
  }

  /** A text that the module asks for: the numbers are those of the dictionary, a place is a country and a language. */
  private stringOf(kind: number, place: number, number: number, part: number): string {
    const { dictionary } = this
    const reference = this.reference as ReferenceRenderer
    const [country, language] = [letters(place >>> 16), letters(place & 0xffff) as RenderOptions['language']]
    const fields = this.shapes[(kind >>> 8) - 1]
    const choose = (json: string, tree: FieldTree | undefined) => (tree === undefined ? json : chooseJson(json, tree))
    const text = dictionary.text(number)
    switch (kind & 0xff) {
      case STRING_KINDS.genre:
        return reference.genre(text, language)
      case STRING_KINDS.service:
        return choose(reference.service(text, country, language).toString(), fields?.service)
      case STRING_KINDS.addon:
        return choose(reference.addon(text, dictionary.text(part), country, language).toString(), fields?.addon)
      case STRING_KINDS.audios:
        return choose(text, fields?.audios)
      case STRING_KINDS.subtitles:
        return choose(text, fields?.subtitles)
      case STRING_KINDS.price:
        return choose(text, fields?.price)
      default:
        return text
    }
  }
}

/** Larger than any output. */
const MAX_SIZE = 0x7fff_ffff

/** Two letters as the number that has their bytes in memory. */
function codeOf(code: string): number {
  return code.charCodeAt(0) | (code.charCodeAt(1) << 8)
}

function letters(code: number): string {
  return String.fromCharCode(code & 0xff, code >>> 8)
}
