import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { end, portOf, start } from '../support/child.ts'
import type { HttpRequest } from '../support/http.ts'

const SERVER = fileURLToPath(new URL('limit-server.js', import.meta.url))

/** The bare server that everything else is measured against. */
export class Limit {
  readonly name = 'the limit'

  readonly port: number
  readonly #process: ChildProcess

  private constructor(port: number, process: ChildProcess) {
    this.port = port
    this.#process = process
  }

  static async start(processes = 1): Promise<Limit> {
    const process = start(globalThis.process.execPath, [SERVER, String(processes)])
    return new Limit(await portOf(process, 'the limit'), process)
  }

  get pids(): number[] {
    return [this.#process.pid!]
  }

  /** The request that makes the limit send a body of that size. */
  request(size: number): HttpRequest {
    return { method: 'GET', path: `/${size}`, headers: {} }
  }

  async stop(): Promise<void> {
    await end(this.#process)
  }
}
