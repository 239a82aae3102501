import { readFileSync } from 'node:fs'

/** Memory of a process in bytes. Mapped files count as resident; anonymous memory is what it alone has need of. */
export interface Memory {
  readonly resident: number
  readonly anonymous: number
}

/** What the kernel says of a process. */
export function memoryOf(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return { resident: kilobytes(text, 'Rss'), anonymous: kilobytes(text, 'Anonymous') }
}

/** Looks at a process until it ends, and keeps the largest values seen. */
export class PeakMemory {
  #resident = 0
  #anonymous = 0
  readonly #timer: NodeJS.Timeout

  constructor(pid: number, everyMs = 100) {
    this.#timer = setInterval(() => {
      try {
        // The high-water mark is kept by the kernel, so that no peak between two looks is missed.
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        this.#resident = Math.max(this.#resident, kilobytes(status, 'VmHWM'))
        this.#anonymous = Math.max(this.#anonymous, kilobytes(status, 'RssAnon'))
      } catch {
        clearInterval(this.#timer) // It has ended.
      }
    }, everyMs)
  }

  stop(): Memory {
    clearInterval(this.#timer)
    return { resident: this.#resident, anonymous: this.#anonymous }
  }
}

function kilobytes(text: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024
}
