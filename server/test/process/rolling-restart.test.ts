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

/** Clients that keep their connections and ask without a pause, each until it is told to stop. */
class Load {
  answered = 0
  readonly failures: string[] = []
  private over = false
  private readonly clients: Promise<void>[]

  constructor(url: string, headers: Record<string, string>, connections: number) {
    this.clients = Array.from({ length: connections }, () => this.ask(url, headers))
  }

  async stop(): Promise<void> {
    this.over = true
    await Promise.all(this.clients)
  }

  /** Waits until so many more requests were answered. */
  async more(count: number): Promise<void> {
    const goal = this.answered + count
    await eventually(async () => this.answered >= goal || undefined)
  }

  private async ask(url: string, headers: Record<string, string>): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!this.over) {
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
  const listening = () =>
    [...service.output().matchAll(/"pid":(\d+)[^\n]*a worker listens/g)].map(([, pid]) => Number(pid))

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

  it('answers every request while all workers are renewed', async () => {
    const former = listening()
    const clients = load(8)
    await clients.more(50)
    service.process.kill('SIGHUP')
    await eventually(async () => service.output().includes('the workers were renewed') || undefined, 50)
    await clients.more(50)
    await clients.stop()
    expect(clients.failures).toEqual([])
    expect(listening().slice(2)).toHaveLength(2)
    for (const pid of former) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('fails only the requests that a killed worker was answering', async () => {
    const clients = load(8)
    await clients.more(50)
    process.kill(listening().at(-1) as number, 'SIGKILL')
    await clients.more(200)
    await sleep(100)
    await clients.stop()
    // Each client has one request under way at most, and the worker held some of their connections.
    expect(clients.failures.length).toBeLessThanOrEqual(8)
    for (const failure of clients.failures) expect(['ECONNRESET', 'EPIPE']).toContain(failure)
  })

  it('has as many workers as before when old ones die while new ones start', async () => {
    const alive = () => listening().filter(isRunning)
    const said = (text: string) => service.output().split(text).length - 1
    await eventually(async () => alive().length === 2 || undefined)
    const former = alive()
    const [renewals, replaced] = [said('the workers were renewed'), said('a worker died and is replaced')]
    const begun = said('the processes are renewed')
    service.process.kill('SIGHUP')
    await eventually(async () => said('the processes are renewed') > begun || undefined)
    // All of them, so that it is one whose successor starts. Whoever listens on no port in particular gets another one.
    for (const pid of former) process.kill(pid, 'SIGKILL')
    await eventually(async () => said('the workers were renewed') > renewals || undefined)
    await eventually(async () => alive().length >= 2 || undefined)
    expect(alive()).toHaveLength(2)
    // One had a successor already, and the other one got one.
    expect(said('a worker died and is replaced') - replaced).toBe(1)
  })
})

describe('a connection that is on its way to a worker', () => {
  const folder = temporaryFolder(afterAll)
  let service: RunningService
  let port: number
  const listening = () =>
    [...service.output().matchAll(/"pid":(\d+)[^\n]*a worker listens/g)].map(([, pid]) => Number(pid))

  beforeAll(async () => {
    service = await startMarquee({ MARQUEE_DATA: join(folder, 'data'), MARQUEE_WORKERS: '2', DATABASE_URL: '' })
    await eventually(async () => listening().length === 2 || undefined)
    port = Number(new URL(service.address).port)
  })

  /** Waits until both of two workers serve, the latest of all that were started. */
  async function both(started: number): Promise<[number, number]> {
    await eventually(async () => listening().length === started || undefined)
    return listening().slice(-2) as [number, number]
  }

  it('is taken by another one if the worker leaves', async () => {
    const [leaving, staying] = await both(2)
    // The one that stays gets a connection and cannot take it, so the next one is handed to the one that leaves.
    const first = await handOver(staying)
    service.process.kill('SIGSTOP')
    const second = await Call.start(port)
    process.kill(leaving, 'SIGTERM')
    // A worker that does not wait for the primary is gone by then; one that waits is still there, which is as well.
    await eventually(async () => hasEnded(leaving) || undefined, 2).catch(() => {})
    service.process.kill('SIGCONT')
    await eventually(async () => hasEnded(leaving) || undefined)
    process.kill(staying, 'SIGCONT')
    expect(await first.answer).toContain('HTTP/1.1 200 OK')
    expect(await second.answer).toContain('HTTP/1.1 200 OK')
  })

  it('is closed if the worker is killed', async () => {
    const [killed] = await both(3)
    const call = await handOver(killed)
    process.kill(killed, 'SIGKILL')
    expect(await call.answer).toBe('')
  })

  /** Stops a worker, and returns a request on a connection that it was handed. */
  async function handOver(worker: number): Promise<Call> {
    process.kill(worker, 'SIGSTOP')
    onTestFinished(() => void (hasEnded(worker) || process.kill(worker, 'SIGCONT')))
    // Of two connections it gets one. The other one is answered by the other worker, and so is a third: with that the
    // first two are handed over, too.
    const calls = [await Call.start(port), await Call.start(port), await Call.start(port)]
    const left = () => calls.filter(({ text }) => text === '')
    await eventually(async () => left().length === 1 || undefined)
    return left()[0] as Call
  }
})

/** A request on a connection of its own. */
class Call {
  text = ''
  /** What came until the connection was closed, in whatever way. */
  readonly answer: Promise<string>

  private constructor(socket: Socket) {
    socket.setEncoding('utf8').on('data', (text) => {
      this.text += text
    })
    socket.on('error', () => {})
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    this.answer = new Promise((resolve) => socket.once('close', () => resolve(this.text)))
  }

  static async start(port: number): Promise<Call> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new Call(socket)
  }
}

/** Whether a process has ended, though its parent may not have noticed. */
function hasEnded(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}
