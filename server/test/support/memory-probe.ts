import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const TIMEOUT_MS = 30_000

/**
 * Options of Node that load the probe into a process and its children. On SIGUSR2 it collects garbage and writes what is still
 * in use into a file: memory that only waits for the next collection tells nothing about growth.
 */
export const MEMORY_PROBE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(
  `import{renameSync,writeFileSync}from'node:fs';import{setFlagsFromString}from'node:v8';import{runInNewContext}from'node:vm';
  setFlagsFromString('--expose-gc');const gc=runInNewContext('gc');
  process.on('SIGUSR2',()=>{
    gc();
    // Buffers that the first collection finds unused are freed after it.
    setTimeout(()=>{
      gc();
      const file=${JSON.stringify(fileOf(''))}+process.pid;
      writeFileSync(file+'.new',JSON.stringify(process.memoryUsage()));
      renameSync(file+'.new',file);
    },100);
  })`,
)}`

/** What one process holds after a garbage collection. */
export interface ProcessMemory {
  /** Objects and buffers in use. */
  readonly heapBytes: number
  /** Pages of its own, with those that the allocators keep; mapped files do not count. */
  readonly residentBytes: number
}

/** Asks the probe of a process. Throws if the process has ended. */
export async function measureMemory(pid: number): Promise<ProcessMemory> {
  const file = fileOf(pid)
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (const deadline = performance.now() + TIMEOUT_MS; ; await sleep(20)) {
    const report = readIfThere(file)
    if (report !== undefined) {
      rmSync(file)
      const { heapUsed, external } = JSON.parse(report) as NodeJS.MemoryUsage
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(status) ?? []
      return { heapBytes: heapUsed + external, residentBytes: 1024 * Number(kilobytes) }
    }
    if (performance.now() > deadline) throw new Error(`Process ${pid} did not report its memory`)
  }
}

function fileOf(pid: number | string): string {
  return join(tmpdir(), `marquee-memory-${process.pid}-${pid}`)
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
