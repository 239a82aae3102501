import { Agent, get, type IncomingMessage } from 'node:http'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { type DemoService, startDemoService } from '../support/demo-service.ts'
import { eventually } from '../support/marquee-process.ts'

let service: DemoService

beforeAll(async () => {
  service = await startDemoService({ MARQUEE_WORKERS: '2' })
  await eventually(async () => service.output().split('a worker listens').length > 2 || undefined)
})

/** A connection of a viewer: the workers take connections by turns, and a connection stays with its worker. */
class Viewer {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 })
  private cookie = ''

  constructor() {
    onTestFinished(() => this.agent.destroy())
  }

  async open(): Promise<void> {
    const { headers } = await this.get('/browse')
    this.cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  }

  /** Asks until it is refused, and says how many requests of the second were left before the first one. */
  async useUp(): Promise<number> {
    let left: number | undefined
    for (;;) {
      const { statusCode, headers } = await this.get('/v4/genres')
      if (statusCode === 200) left ??= Number(/"rate";r=(\d+)/.exec(String(headers.ratelimit))?.[1]) + 1
      else if (left !== undefined) return left
    }
  }

  private get(path: string): Promise<IncomingMessage> {
    const headers = { 'sec-fetch-site': 'same-origin', cookie: this.cookie }
    return new Promise((resolve, reject) => {
      get(service.address + path, { agent: this.agent, headers }, (response) => {
        response.resume().once('end', () => resolve(response))
      }).once('error', reject)
    })
  }
}

it('viewers on one address share a rate, whichever workers they ask', async () => {
  const viewers = [new Viewer(), new Viewer()]
  for (const viewer of viewers) await viewer.open()
  // Each worker grants all of the rate until it has heard of the other.
  const left = await eventually(async () => {
    const most = Math.max(...(await Promise.all(viewers.map((viewer) => viewer.useUp()))))
    return most < 50 ? most : undefined
  })
  expect(left).toBeGreaterThanOrEqual(25)
})
