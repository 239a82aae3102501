import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { feedBytes } from '../support/feed.ts'
import { eventually, marquee, type RunningService, startMarquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testDatabase } from '../support/test-database.ts'

/** Clients that send requests over keep-alive connections without a pause, until `stop`. */
class Load {
  answered = 0
  readonly failures: string[] = []
  private stopped = false
  private readonly clients: Promise<void>[]

  constructor(url: string, headers: Record<string, string>, connections: number) {
    this.clients = Array.from({ length: connections }, () => this.sendRequests(url, headers))
  }

  async stop(): Promise<void> {
    this.stopped = true
    await Promise.all(this.clients)
  }

  /** Waits until this many more requests have been answered. */
  async waitForMore(count: number): Promise<void> {
    const goal = this.answered + count
    await eventually(async () => this.answered >= goal || undefined)
  }

  private async sendRequests(url: string, headers: Record<string, string>): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!this.stopped) {
      try {
        const status = await new Promise<number>((resolve, reject) => {
          const request = get(url, { agent, headers }, (response) => {
            response.once('end', () => resolve(response.statusCode as number)).once('error', reject)
            response.resume()
          })
          request.once('error', reject)
        })
        if (status === 200) this.answered++
        else this.failures.push(`status ${status}`)
      } catch (error) {
        this.failures.push((error as NodeJS.ErrnoException).code ?? String(error))
      }
    }
    agent.destroy()
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe.each(['local', 'postgres'])('a service under load, with its ledger in %s', (kind) => {
  const folder = temporaryFolder(afterAll)
  const env = { MARQUEE_DATA: join(folder, 'data'), MARQUEE_WORKERS: '2', DATABASE_URL: '' }
  let service: RunningService
  let headers: Record<string, string>
  const listening = () => service.events('worker_listening').map(({ pid }) => pid)

  beforeAll(async () => {
    if (kind === 'postgres') env.DATABASE_URL = await testDatabase()
    const feed = join(folder, 'feed.ndjson')
    writeFileSync(feed, feedBytes(aSnapshot(aMovie({ id: '1' }), aMovie({ id: '2' }))))
    expect((await marquee(['import', feed], env)).code).toBe(0)
    const { stdout } = await marquee(['keys', 'create', '--plan', 'unlimited', '--json'], env)
    headers = { 'X-API-Key': JSON.parse(stdout).key }
    service = await startMarquee(env)
    await eventually(async () => listening().length === 2 || undefined)
  })

  const load = (connections: number) => new Load(`${service.address}/v4/shows/1?country=us`, headers, connections)

  it('answers every request during a rolling restart of the workers', async () => {
    const oldPids = listening()
    const clients = load(8)
    await clients.waitForMore(50)
    service.process.kill('SIGHUP')
    await eventually(async () => service.events('workers_restarted').length > 0 || undefined)
    await clients.waitForMore(50)
    await clients.stop()
    expect(clients.failures).toEqual([])
    expect(listening().slice(2)).toHaveLength(2)
    for (const pid of oldPids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('fails only the requests that a killed worker was answering', async () => {
    const clients = load(8)
    await clients.waitForMore(50)
    process.kill(listening().at(-1) as number, 'SIGKILL')
    await clients.waitForMore(200)
    await sleep(100)
    await clients.stop()
    // Each client has at most one request in flight, and the worker held some of their connections.
    expect(clients.failures.length).toBeLessThanOrEqual(8)
    for (const failure of clients.failures) expect(['ECONNRESET', 'EPIPE']).toContain(failure)
  })

  it('keeps the number of workers when old ones die while new ones start', async () => {
    const alive = () => listening().filter(isRunning)
    const count = (event: string) => service.events(event).length
    await eventually(async () => alive().length === 2 || undefined)
    const oldPids = alive()
    const [restarts, deaths] = [count('workers_restarted'), count('worker_died')]
    const requests = count('restart_requested')
    service.process.kill('SIGHUP')
    await eventually(async () => count('restart_requested') > requests || undefined)
    // Kill both: one of them is the worker whose successor is starting.
    for (const pid of oldPids) process.kill(pid, 'SIGKILL')
    await eventually(async () => count('workers_restarted') > restarts || undefined)
    await eventually(async () => alive().length >= 2 || undefined)
    expect(alive()).toHaveLength(2)
    // One had a successor already; only the other one was replaced.
    expect(count('worker_died') - deaths).toBe(1)
  })
})

describe('a connection that no worker has accepted', () => {
  const folder = temporaryFolder(afterAll)
  let service: RunningService
  let port: number
  const listening = () => service.events('worker_listening').map(({ pid }) => pid)

  beforeAll(async () => {
    service = await startMarquee({ MARQUEE_DATA: join(folder, 'data'), MARQUEE_WORKERS: '2', DATABASE_URL: '' })
    port = Number(new URL(service.address).port)
  })

  /** Pauses the latest two workers, once so many have been started in all. */
  async function pauseTwo(started: number): Promise<[number, number]> {
    await eventually(async () => listening().length === started || undefined)
    const workers = listening().slice(-2) as [number, number]
    for (const worker of workers) {
      process.kill(worker, 'SIGSTOP')
      onTestFinished(() => void (hasExited(worker) || process.kill(worker, 'SIGCONT')))
    }
    return workers
  }

  it.each(['SIGTERM', 'SIGKILL'] as const)('is accepted by another worker if one ends by %s', async (signal) => {
    const [ended, paused] = await pauseTwo(signal === 'SIGTERM' ? 2 : 3)
    const calls = [await Call.start(port), await Call.start(port), await Call.start(port)]
    process.kill(ended, signal)
    process.kill(ended, 'SIGCONT')
    await eventually(async () => hasExited(ended) || undefined)
    process.kill(paused, 'SIGCONT')
    for (const { response } of calls) expect(await response).toContain('HTTP/1.1 200 OK')
  })

  it('is accepted by another worker while one hangs', async () => {
    const [, running] = await pauseTwo(4)
    process.kill(running, 'SIGCONT')
    const calls = [await Call.start(port), await Call.start(port), await Call.start(port)]
    for (const { response } of calls) expect(await response).toContain('HTTP/1.1 200 OK')
  })
})

/** A request on a connection of its own. */
class Call {
  text = ''
  /** Everything received until the connection was closed. */
  readonly response: Promise<string>

  private constructor(socket: Socket) {
    socket.setEncoding('utf8').on('data', (text) => {
      this.text += text
    })
    socket.on('error', () => {})
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    this.response = new Promise((resolve) => socket.once('close', () => resolve(this.text)))
  }

  static async start(port: number): Promise<Call> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new Call(socket)
  }
}

/** Whether a process has exited; it may be a zombie that its parent has not reaped. */
function hasExited(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}
