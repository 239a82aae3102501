import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Ask, urlOf } from '../ask.ts'
import { type Contestant, type Page, readPage } from '../contestant.ts'
import type { Manner } from '../prepare.ts'
import { end, portOf, start } from '../support/child.ts'
import type { HttpRequest } from '../support/http.ts'

/** How a peer is described to be started. */
export interface PeerDescription {
  readonly name: string
  /** The program that serves, relative to this folder. */
  readonly program: string
  readonly args: readonly string[]
  readonly nodeArgs?: readonly string[]
  readonly kinds: readonly Ask['kind'][]
  /** It neither compresses nor knows entity tags. */
  readonly plainOnly?: boolean
  /** What else it consists of, such as a database server: its processes, and how to stop it. */
  readonly pids?: readonly number[]
  readonly stop?: () => Promise<void>
  /** Where its requests and answers are not of Marquee's shape. */
  readonly request?: (ask: Ask, cursor: string | undefined) => HttpRequest
  readonly page?: (body: Buffer) => Page
}

/** A server that is not Marquee, in a process of its own. */
export class Peer implements Contestant {
  readonly name: string
  readonly port: number
  readonly #description: PeerDescription
  readonly #process: ChildProcess

  private constructor(description: PeerDescription, process: ChildProcess, port: number) {
    this.name = description.name
    this.port = port
    this.#description = description
    this.#process = process
  }

  static async start(description: PeerDescription): Promise<Peer> {
    const { name, program, args, nodeArgs = [] } = description
    const file = fileURLToPath(new URL(program, import.meta.url))
    const child = start(process.execPath, [...nodeArgs, file, ...args], {
      env: { ...process.env, NODE_ENV: 'production' },
    })
    return new Peer(description, child, await portOf(child, name))
  }

  get pids(): number[] {
    return [this.#process.pid!, ...(this.#description.pids ?? [])]
  }

  answers(kind: Ask['kind'], { encoding, revalidate = false }: Manner): boolean {
    const { kinds, plainOnly = false } = this.#description
    return kinds.includes(kind) && !(plainOnly && (encoding !== undefined || revalidate))
  }

  request(ask: Ask, cursor?: string): HttpRequest {
    return this.#description.request?.(ask, cursor) ?? { method: 'GET', path: urlOf(ask, cursor), headers: {} }
  }

  page(body: Buffer): Page {
    return (this.#description.page ?? readPage)(body)
  }

  async stop(): Promise<void> {
    await end(this.#process)
    await this.#description.stop?.()
  }
}
