import { CacheMeter } from '../lib/cache.ts'

const MAX_SLOTS = 2 ** 18
const INITIAL_SLOTS = 2 ** 10

/* A slot is four words of 32 bits: the two of the key, the document plus one, and one that is not used. */
const SLOT_WORDS = 4
const LOW = 0
const HIGH = 1
const DOC = 2

/** The forms of ids that have a number, by what stands before it. */
const PREFIXES = ['', 'tt', 'movie/', 'tv/'] as const

/** Longer numbers may not be exact. */
const MAX_DIGITS = 15

const DIGIT_ZERO = 48

/**
 * The documents of shows by their ids, for one catalog version. A hash table in an array of numbers: a request may have a hundred
 * ids, and looking each up in a map of texts took a tenth of it. Ids without a number are not cached.
 */
export class ShowIdCache {
  readonly meter = new CacheMeter('show_ids', MAX_SLOTS * SLOT_WORDS * 4)
  private slots = new Uint32Array(INITIAL_SLOTS * SLOT_WORDS)
  private count = 0
  private version = -1
  /** The key of the id that was parsed last, as two words. */
  private low = 0
  private high = 0

  /** The document that has an id, if that is known. */
  get(id: string, version: number): number | undefined {
    if (version !== this.version) this.clear(version)
    if (!this.parse(id)) return undefined
    const doc = this.slots[this.findSlot() + DOC] as number
    if (doc === 0) this.meter.misses++
    else this.meter.hits++
    return doc === 0 ? undefined : doc - 1
  }

  set(id: string, doc: number, version: number): void {
    if (version !== this.version) this.clear(version)
    if (!this.parse(id)) return
    if (2 * this.count >= this.slots.length / SLOT_WORDS) this.makeRoom()
    const slot = this.findSlot()
    const { slots, meter } = this
    if (slots[slot + DOC] === 0) this.count++
    slots[slot + LOW] = this.low
    slots[slot + HIGH] = this.high
    slots[slot + DOC] = doc + 1
    meter.entries = this.count
    meter.bytes = slots.byteLength
  }

  private clear(version: number): void {
    this.slots.fill(0)
    this.count = 0
    this.version = version
    this.meter.entries = 0
  }

  /** Doubles the table, or empties one that is as large as allowed. */
  private makeRoom(): void {
    const old = this.slots
    if (old.length >= MAX_SLOTS * SLOT_WORDS) {
      this.meter.evictions += this.count
      this.clear(this.version)
      return
    }
    const { low, high } = this
    this.slots = new Uint32Array(2 * old.length)
    for (let at = 0; at < old.length; at += SLOT_WORDS) {
      if (old[at + DOC] === 0) continue
      this.low = old[at + LOW] as number
      this.high = old[at + HIGH] as number
      this.slots.set(old.subarray(at, at + SLOT_WORDS), this.findSlot())
    }
    this.low = low
    this.high = high
  }

  /** Sets the key of an id: its number, how many digits it has, and what is before it. Returns whether it has such a form. */
  private parse(id: string): boolean {
    for (let form = PREFIXES.length - 1; form >= 0; form--) {
      const prefix = PREFIXES[form] as string
      if (!id.startsWith(prefix)) continue
      const digits = id.length - prefix.length
      if (digits === 0 || digits > MAX_DIGITS) return false
      let number = 0
      for (let i = prefix.length; i < id.length; i++) {
        const digit = id.charCodeAt(i) - DIGIT_ZERO
        if (digit < 0 || digit > 9) return false
        number = number * 10 + digit
      }
      this.low = number >>> 0
      // A number of 15 digits has 50 bits.
      this.high = Math.floor(number / 2 ** 32) + (digits * PREFIXES.length + form) * 2 ** 18
      return true
    }
    return false
  }

  /** The slot of the key, or the free one that it would get. */
  private findSlot(): number {
    const { slots, low, high } = this
    const mask = slots.length - 1
    const mixed = Math.imul(low, 0x9e37_79b1) ^ Math.imul(high, 0x85eb_ca6b)
    let slot = ((mixed ^ (mixed >>> 15)) * SLOT_WORDS) & mask
    while (slots[slot + DOC] !== 0 && (slots[slot + LOW] !== low || slots[slot + HIGH] !== high)) {
      slot = (slot + SLOT_WORDS) & mask
    }
    return slot
  }
}
