import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Ask, urlOf } from './ask.ts'
import { type Contestant, readPage } from './contestant.ts'
import { end, portOf, start } from './support/child.ts'
import type { HttpRequest } from './support/http.ts'

/** Marquee in one process, with its gate (keys, quotas, usage, metrics) or with the gate wide open. */
export class Gate implements Contestant {
  readonly name: string
  readonly port: number
  readonly #process: ChildProcess
  readonly #key: string

  private constructor(name: string, port: number, process: ChildProcess, key: string) {
    this.name = name
    this.port = port
    this.#process = process
    this.#key = key
  }

  static async start(gate: 'gated' | 'open', data: string, key: string): Promise<Gate> {
    const program = fileURLToPath(new URL('../serve-gate.mjs', import.meta.url))
    const child = start(process.execPath, [program, gate, data])
    return new Gate(`Marquee, ${gate}`, await portOf(child, gate), child, key)
  }

  get pids(): number[] {
    return [this.#process.pid!]
  }

  answers(): boolean {
    return true
  }

  request(ask: Ask, cursor?: string): HttpRequest {
    return { method: 'GET', path: `/v4${urlOf(ask, cursor)}`, headers: { 'X-API-Key': this.#key } }
  }

  page = readPage

  async stop(): Promise<void> {
    await end(this.#process)
  }
}
