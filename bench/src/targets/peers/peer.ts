import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { HttpRequest } from '../../lib/http.ts'
import { readPort, startProcess, stopProcess } from '../../lib/processes.ts'
import { type ApiRequest, formatUrl } from '../../workloads/api-request.ts'
import { type Page, parsePage, type RequestMode, type Target } from '../target.ts'

/** What a peer supports. */
export interface PeerConfig {
  readonly name: string
  readonly kinds: readonly ApiRequest['kind'][]
  /** Supports neither compression nor ETags. */
  readonly plainOnly?: boolean
  /** Further processes, such as a database server, and how to stop them. */
  readonly pids?: readonly number[]
  readonly stop?: () => Promise<void>
  /** Translation of requests and responses that are not in Marquee's format. */
  readonly request?: (request: ApiRequest, cursor: string | undefined) => HttpRequest
  readonly parsePage?: (body: Buffer) => Page
}

/** A server program that runs in Node.js. */
export interface NodeProgram {
  /** Relative to this folder. */
  readonly program: string
  readonly args: readonly string[]
  readonly nodeArgs?: readonly string[]
}

/** An alternative to Marquee, in a process of its own. */
export class Peer implements Target {
  readonly name: string
  readonly port: number
  readonly #config: PeerConfig
  readonly #process: ChildProcess

  constructor(config: PeerConfig, process: ChildProcess, port: number) {
    this.name = config.name
    this.port = port
    this.#config = config
    this.#process = process
  }

  static async start(config: PeerConfig, { program, args, nodeArgs = [] }: NodeProgram): Promise<Peer> {
    const file = fileURLToPath(new URL(program, import.meta.url))
    const child = startProcess(process.execPath, [...nodeArgs, file, ...args], {
      env: { ...process.env, NODE_ENV: 'production' },
    })
    return new Peer(config, child, await readPort(child, config.name))
  }

  get pids(): number[] {
    return [this.#process.pid!, ...(this.#config.pids ?? [])]
  }

  supports(kind: ApiRequest['kind'], { encoding, revalidate = false }: RequestMode): boolean {
    const { kinds, plainOnly = false } = this.#config
    return kinds.includes(kind) && !(plainOnly && (encoding !== undefined || revalidate))
  }

  request(request: ApiRequest, cursor?: string): HttpRequest {
    return this.#config.request?.(request, cursor) ?? { method: 'GET', path: formatUrl(request, cursor), headers: {} }
  }

  parsePage(body: Buffer): Page {
    return (this.#config.parsePage ?? parsePage)(body)
  }

  async stop(): Promise<void> {
    await stopProcess(this.#process)
    await this.#config.stop?.()
  }
}
