import { availableParallelism, cpus, totalmem } from 'node:os'

/** The machine that figures were taken on. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryBytes: number
  readonly node: string
  readonly date: string
}

/** This machine, now. */
export function machine(): Machine {
  return {
    cpu: cpus()[0]?.model || process.arch,
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    node: process.versions.node,
    date: new Date().toISOString().slice(0, 10),
  }
}
