import { readFileSync } from 'node:fs'

/** Memory of a process in bytes. Resident memory includes pages of mapped files; anonymous memory does not. */
export interface Memory {
  readonly resident: number
  readonly anonymous: number
}

/** Reads the current memory use of a process from /proc. */
export function readMemory(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return { resident: parseKilobytes(text, 'Rss'), anonymous: parseKilobytes(text, 'Anonymous') }
}

/** Samples a process until it exits and keeps the peak values. */
export class PeakMemory {
  #resident = 0
  #anonymous = 0
  readonly #timer: NodeJS.Timeout

  constructor(pid: number, intervalMs = 100) {
    this.#timer = setInterval(() => {
      try {
        // VmHWM is the kernel's high-water mark, so peaks between two samples are counted.
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        this.#resident = Math.max(this.#resident, parseKilobytes(status, 'VmHWM'))
        this.#anonymous = Math.max(this.#anonymous, parseKilobytes(status, 'RssAnon'))
      } catch {
        clearInterval(this.#timer) // The process has exited.
      }
    }, intervalMs)
  }

  stop(): Memory {
    clearInterval(this.#timer)
    return { resident: this.#resident, anonymous: this.#anonymous }
  }
}

function parseKilobytes(text: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024
}
