import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Ask, urlOf } from './ask.ts'
import { type Contestant, readPage } from './contestant.ts'
import { end } from './support/child.ts'
import { freePort } from './support/free-port.ts'
import { expectAnswer, type HttpRequest, send } from './support/http.ts'
import { marquee, startMarquee } from './support/marquee-command.ts'

/** Marquee, served by `marquee serve` from a data directory and asked with a key without limits. */
export class Marquee implements Contestant {
  readonly name = 'Marquee'

  readonly port: number
  /** Milliseconds from the start of the command to its first answer. */
  readonly startUp: number
  readonly #process: ChildProcess
  readonly #key: string

  private constructor(port: number, startUp: number, process: ChildProcess, key: string) {
    this.port = port
    this.startUp = startUp
    this.#process = process
    this.#key = key
  }

  /** Starts the service, and waits until it answers. */
  static async start(data: string, workers = 1): Promise<Marquee> {
    const made = await marquee(['keys', 'create', '--plan', 'unlimited', '--name', 'bench', '--json'], data)
    const { key } = JSON.parse(made) as { key: string }
    const port = await freePort()
    const started = performance.now()
    const settings = { HOST: '127.0.0.1', PORT: String(port), MARQUEE_WORKERS: String(workers) }
    const process = startMarquee(['serve'], data, settings)
    let said = ''
    for (const stream of [process.stdout, process.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-4000)
      })
    }
    const request = { method: 'GET', path: '/v4/genres', headers: { 'X-API-Key': key } } as const
    for (;;) {
      const status = await send(port, request).then(
        ({ status }) => status,
        () => undefined,
      )
      if (status === 200) break
      if (process.exitCode !== null || performance.now() - started > 120_000) {
        await end(process)
        throw new Error(`marquee serve did not answer:\n${said}`)
      }
      await sleep(5)
    }
    return new Marquee(port, performance.now() - started, process, key)
  }

  get pids(): number[] {
    return [this.#process.pid!]
  }

  /** The processes that answer requests: those that the primary started. */
  get workers(): number[] {
    const pid = this.#process.pid!
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  }

  answers(): boolean {
    return true
  }

  request(ask: Ask, cursor?: string): HttpRequest {
    return { method: 'GET', path: `/v4${urlOf(ask, cursor)}`, headers: { 'X-API-Key': this.#key } }
  }

  /** The answer to an ask, read as JSON. */
  async read<T>(ask: Ask): Promise<T> {
    return JSON.parse((await expectAnswer(this.port, this.request(ask))).body.toString()) as T
  }

  page = readPage

  async stop(): Promise<void> {
    await end(this.#process)
  }
}
