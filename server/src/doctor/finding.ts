/** What is checked, in the order in which it is reported. */
export const CHECKS = [
  'shows_without_offers',
  'offers_without_links',
  'sources_disagree',
  'likely_duplicates',
  'services_with_two_ids',
  'unmapped_genres',
  'stale_sources',
  'open_files',
] as const
export type CheckName = (typeof CHECKS)[number]

/** How many examples of a finding are kept. */
const MAX_EXAMPLES = 5

/** One case of a finding, with the command that mends it. */
export interface Example {
  /** A show with its year, a service, a genre or a source. */
  readonly subject: string
  /** What is wrong, in the words of the data: ids, places, values. */
  readonly details: readonly string[]
  readonly command: string
}

/** The result of one check. */
export interface Finding {
  readonly check: CheckName
  /** How many cases there are; 0 if nothing has to be mended. */
  readonly count: number
  readonly examples: readonly Example[]
}

/** What a check of the catalog found. */
export interface DoctorReport {
  /** When it was checked. */
  readonly at: number
  /** The catalog version that was checked. */
  readonly version: number
  readonly shows: number
  /** One for each check, in order. */
  readonly findings: readonly Finding[]
}

/** A number with its noun: "1 show", "2 shows". */
export function countNoun(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Collects the cases of a check: all are counted, the first ones kept. */
export class FindingBuilder {
  private readonly check: CheckName
  private readonly examples: Example[] = []
  private count = 0

  constructor(check: CheckName) {
    this.check = check
  }

  /** Adds a case. The example is built only if it is kept, since that reads the whole show. */
  add(buildExample: () => Example): void {
    this.count++
    if (this.examples.length < MAX_EXAMPLES) this.examples.push(buildExample())
  }

  build(): Finding {
    return { check: this.check, count: this.count, examples: this.examples }
  }
}
