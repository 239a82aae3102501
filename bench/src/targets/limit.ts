import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { HttpRequest } from '../lib/http.ts'
import { readPort, startProcess, stopProcess } from '../lib/processes.ts'

const SERVER = fileURLToPath(new URL('limit-server.js', import.meta.url))

/** The baseline: a bare `node:http` server that sends prebuilt bodies of given sizes. */
export class Limit {
  readonly name = 'limit'
  readonly port: number
  readonly #process: ChildProcess

  private constructor(port: number, process: ChildProcess) {
    this.port = port
    this.#process = process
  }

  static async start(processes = 1): Promise<Limit> {
    const child = startProcess(process.execPath, [SERVER, String(processes)])
    return new Limit(await readPort(child, 'limit'), child)
  }

  get pids(): number[] {
    return [this.#process.pid!]
  }

  /** The request for a body of that size; 0 requests a 304. */
  request(bodyBytes: number): HttpRequest {
    return { method: 'GET', path: `/${bodyBytes}`, headers: {} }
  }

  async stop(): Promise<void> {
    await stopProcess(this.#process)
  }
}
