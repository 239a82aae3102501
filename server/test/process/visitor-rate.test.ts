import { Agent, get, type IncomingMessage } from 'node:http'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { type DemoService, startDemoService } from '../support/demo-service.ts'
import { eventually } from '../support/marquee-process.ts'

let service: DemoService

beforeAll(async () => {
  service = await startDemoService({ MARQUEE_WORKERS: '2' })
  await eventually(async () => service.events('worker_listening').length === 2 || undefined)
})

/** A visitor with one connection. The primary deals connections to the workers in turn, and each stays with its worker. */
class Visitor {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 })
  private cookie = ''

  constructor() {
    onTestFinished(() => this.agent.destroy())
  }

  async open(): Promise<void> {
    const { headers } = await this.get('/browse')
    this.cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  }

  /** Sends requests until one is refused; returns how many of the rate were left before the first. */
  async exhaustRate(): Promise<number> {
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

it('visitors on one address share a rate across all workers: each worker grants its even share', async () => {
  const visitors = [new Visitor(), new Visitor()]
  for (const visitor of visitors) await visitor.open()
  const seen: number[] = []
  // The pages themselves have spent part of the first second's share.
  await eventually(async () => {
    seen.push(...(await Promise.all(visitors.map((visitor) => visitor.exhaustRate()))))
    return seen.includes(25) || undefined
  })
  expect(Math.max(...seen)).toBe(25)
})

it('images and links of the demo have a policy that allows no script', async () => {
  for (const path of ['/watch/netflix/us/1/Heat', '/artwork/1-crime/vertical-poster/w360/Heat.svg']) {
    const response = await fetch(service.address + path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*; sandbox$/)
    await response.text()
  }
})
