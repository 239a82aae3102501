import { getEventListeners } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type AnswerCache,
  ConnectionError,
  ContractError,
  Marquee,
  type MarqueeOptions,
  ServiceError,
} from '../src/index.ts'
import { answer, type Behaviour, type FaultServer, startFaultServer } from './support/fault-server.ts'

const GENRES = '[{"id":"crime","name":"Crime"}]'
const good = answer(200, GENRES)
const said = (code: string) => JSON.stringify({ detail: 'No.', code })
const halfABody = `HTTP/1.1 200 OK\r\ncontent-length: ${GENRES.length}\r\n\r\n${GENRES.slice(0, 9)}`

/** A client of a server that misbehaves. Pauses before retries take no time, unless the options say otherwise. */
async function clientOf(behave: Behaviour, options: MarqueeOptions = {}): Promise<[Marquee, FaultServer]> {
  const server = await startFaultServer(behave)
  const sleep = async () => {}
  return [new Marquee({ apiKey: 'mq-key-test', baseUrl: server.baseUrl, sleep, ...options }), server]
}

/** The error that a promise fails with. */
function failure<T extends Error>(work: Promise<unknown>, kind: abstract new (...rest: never[]) => T): Promise<T> {
  return work.then(
    () => expect.fail('it should have failed'),
    (error) => {
      expect(error).toBeInstanceOf(kind)
      return error as T
    },
  )
}

describe('faults that pass', () => {
  it.each<[string, Behaviour]>([
    ['a connection that is reset', (socket) => socket.resetAndDestroy()],
    ['a connection that is closed', (socket) => socket.destroy()],
    ['a head that is cut off', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le')],
    ['a body that is cut off', (socket) => socket.end(halfABody)],
    ['a body that is reset', (socket) => socket.write(halfABody, () => socket.resetAndDestroy())],
    [
      'chunks that end too early',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n[{"id'),
    ],
    ['what is not HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
    ['429', (socket) => socket.end(answer(429, said('rate_limited'), { 'retry-after': 1 }))],
    ['503', (socket) => socket.end(answer(503, said('overloaded'), { 'retry-after': 1 }))],
    ['503 of a proxy', (socket) => socket.end(answer(503, '<h1>Unavailable</h1>', { 'content-type': 'text/html' }))],
  ])('%s is tried again', async (_, fault) => {
    const [client, server] = await clientOf((socket, n) => (n < 2 ? fault(socket, n) : socket.end(good)))
    expect(await client.genres.list()).toEqual(JSON.parse(GENRES))
    expect(server.requests()).toBe(3)
  })
})

describe('faults that stay', () => {
  it('a port where nobody listens gives a connection error with its cause', async () => {
    const port = await new Promise<number>((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const address = server.address() as { port: number }
        server.close(() => resolve(address.port))
      })
    })
    const client = new Marquee({ apiKey: 'mq-key-x', baseUrl: `http://127.0.0.1:${port}/v4`, sleep: async () => {} })
    const error = await failure(client.genres.list(), ConnectionError)
    expect(error.message).toContain('ECONNREFUSED')
    expect(error.cause).toBeInstanceOf(Error)
    expect(error.timedOut).toBe(false)
  })

  it('resets give a connection error after the last retry', async () => {
    const [client, server] = await clientOf((socket) => socket.resetAndDestroy())
    await failure(client.genres.list(), ConnectionError)
    expect(server.requests()).toBe(3)
  })

  it('HTML is not taken for an answer, and not asked for again', async () => {
    const [client, server] = await clientOf((socket) => socket.end(answer(200, '<!doctype html>')))
    const error = await failure(client.genres.list(), ContractError)
    expect(error).toMatchObject({ status: 200, url: `${server.baseUrl}/genres` })
    expect(server.requests()).toBe(1)
  })

  it('JSON that ends too early is not taken for an answer, and not asked for again', async () => {
    const [client, server] = await clientOf((socket) => socket.end(answer(200, GENRES.slice(0, 9))))
    const error = await failure(client.genres.list(), ContractError)
    expect(error.cause).toBeInstanceOf(SyntaxError)
    expect(server.requests()).toBe(1)
  })

  it('a redirect is not followed, so that the key stays here', async () => {
    const [client, server] = await clientOf((socket) => socket.end(answer(302, '', { location: '/elsewhere' })))
    await failure(client.genres.list(), ContractError)
    expect(server.requests()).toBe(1)
  })

  it('"not modified" that nobody asked for is told as such, and not as a redirect', async () => {
    const [client] = await clientOf((socket) => socket.end(answer(304, '', { etag: '"1"' })))
    const error = await failure(client.genres.list(), ContractError)
    expect(error.message).toContain('status 304 ("not modified")')
    expect(error.message).not.toContain('redirect')
    expect(error.status).toBe(304)
  })

  it('no error tells the key', async () => {
    const [client] = await clientOf((socket) => socket.end(answer(401, said('invalid_key'))))
    const error = await failure(client.genres.list(), ServiceError)
    expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain('mq-key-test')
  })
})

describe('a cache that fails', () => {
  const full = new Error('the storage is full')
  const tagged = answer(200, GENRES, { etag: '"1"' })
  const throws = () => {
    throw full
  }

  it.each<[string, AnswerCache]>([
    ['throws when it is read', { get: throws, set: () => {} }],
    ['throws when it is written', { get: () => undefined, set: throws }],
    ['rejects when it is read', { get: () => Promise.reject(full), set: () => {} }],
    ['rejects when it is written', { get: () => undefined, set: () => Promise.reject(full) }],
  ])('costs nothing but the caching when it %s', async (_, cache) => {
    const [client, server] = await clientOf((socket) => socket.end(tagged), { cache })
    expect(await client.genres.list()).toEqual(JSON.parse(GENRES))
    expect(server.requests()).toBe(1)
  })

  it('does not hide a good answer by never being done', async () => {
    const cache = { get: () => undefined, set: () => new Promise(() => {}) }
    const [client] = await clientOf((socket) => socket.end(tagged), { cache, timeout: 2000 })
    expect(await client.genres.list()).toEqual(JSON.parse(GENRES))
  })

  it('does not keep a call from being cancelled', async () => {
    const reason = new Error('changed my mind')
    const controller = new AbortController()
    const set = () => {
      controller.abort(reason)
      return new Promise(() => {})
    }
    const [client] = await clientOf((socket) => socket.end(tagged), { cache: { get: () => undefined, set } })
    await expect(client.genres.list({}, { signal: controller.signal })).rejects.toBe(reason)
  })
})

describe('the timeout', () => {
  it.each<[string, Behaviour]>([
    ['no answer', () => {}],
    ['half a head', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-le')],
    ['half a body', (socket) => socket.write(halfABody)],
  ])('ends a call that gets %s, and lets go of the connection', async (_, behave) => {
    const [client, server] = await clientOf(behave, { timeout: 500 })
    const error = await failure(client.genres.list(), ConnectionError)
    expect(error.timedOut).toBe(true)
    expect(error.message).toContain('500 ms')
    expect(server.requests()).toBe(1)
    await server.released()
  })

  it('ends a call whose body trickles in for ever', async () => {
    let timer: NodeJS.Timeout | undefined
    const [client, server] = await clientOf(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n[\r\n')
        timer = setInterval(() => socket.writable && socket.write('1\r\n \r\n'), 10)
      },
      { timeout: 500 },
    )
    expect((await failure(client.genres.list(), ConnectionError)).timedOut).toBe(true)
    clearInterval(timer)
    await server.released()
  })

  it('bounds all retries together', async () => {
    const [client, server] = await clientOf((socket, n) => n === 0 && socket.resetAndDestroy(), { timeout: 2000 })
    expect((await failure(client.genres.list(), ConnectionError)).timedOut).toBe(true)
    expect(server.requests()).toBe(2)
  })

  it('ends a pause that is longer than it seemed', async () => {
    const never = () => new Promise<void>(() => {})
    const [client] = await clientOf((socket) => socket.resetAndDestroy(), { timeout: 2000, sleep: never })
    expect((await failure(client.genres.list(), ConnectionError)).timedOut).toBe(true)
  })

  it('ends a call whose fetch does not heed signals', async () => {
    const deaf = () => new Promise<Response>(() => {})
    const client = new Marquee({ apiKey: 'mq-key-test', fetch: deaf, timeout: 50 })
    expect((await failure(client.genres.list(), ConnectionError)).timedOut).toBe(true)
  })

  it('ends a call whose cache does not answer', async () => {
    const cache = { get: () => new Promise<undefined>(() => {}), set: () => {} }
    const client = new Marquee({ apiKey: 'mq-key-test', cache, timeout: 50 })
    expect((await failure(client.genres.list(), ConnectionError)).timedOut).toBe(true)
  })

  it.each([0, -1, Number.NaN])('of %s is refused', async (timeout) => {
    expect(() => new Marquee({ apiKey: 'mq-key-test', timeout })).toThrow(TypeError)
    await failure(new Marquee({ apiKey: 'mq-key-test' }).genres.list({}, { timeout }), TypeError)
  })

  it('can be set for a call', async () => {
    const [client] = await clientOf(() => {})
    const error = await failure(client.genres.list({}, { timeout: 50 }), ConnectionError)
    expect(error.message).toContain('50 ms')
  })
})

describe('cancelling', () => {
  const reason = new Error('changed my mind')
  const page = (n: number) =>
    answer(200, JSON.stringify({ shows: [{ id: `${n}` }, { id: `${n}b` }], hasMore: true, nextCursor: `${n + 1}:` }))

  it('a call that was cancelled before it began sends nothing', async () => {
    const [client, server] = await clientOf((socket) => socket.end(good))
    await expect(client.genres.list({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(server.requests()).toBe(0)
  })

  it.each<[string, Behaviour]>([
    ['before the head', () => {}],
    ['within the body', (socket) => socket.write(halfABody)],
  ])('a call that is cancelled %s ends with the reason, and the connection at once', async (_, behave) => {
    const controller = new AbortController()
    const [client, server] = await clientOf((socket, n) => {
      behave(socket, n)
      setImmediate(() => controller.abort(reason))
    })
    await expect(client.genres.list({}, { signal: controller.signal })).rejects.toBe(reason)
    await server.released()
    expect(server.requests()).toBe(1)
  })

  it('a pause before a retry can be cancelled', async () => {
    const controller = new AbortController()
    const busy = answer(503, said('overloaded'), { 'retry-after': 20 })
    const behave: Behaviour = (socket) => {
      // The client closes its side once it has the answer.
      socket.once('close', () => setTimeout(() => controller.abort(reason), 20))
      socket.end(busy)
    }
    const [client, server] = await clientOf(behave, { sleep: undefined })
    await expect(client.genres.list({}, { signal: controller.signal })).rejects.toBe(reason)
    expect(server.requests()).toBe(1)
  })

  it('a walk that is cancelled while a page is on its way stops the network at once', async () => {
    const controller = new AbortController()
    const [client, server] = await clientOf((socket, n) => {
      if (n < 2) socket.end(page(n))
      else setImmediate(() => controller.abort(reason))
    })
    const seen: string[] = []
    const walk = async () => {
      for await (const show of client.shows.filter({ country: 'us' }, { signal: controller.signal })) seen.push(show.id)
    }
    await expect(walk()).rejects.toBe(reason)
    await server.released()
    expect(seen).toEqual(['0', '0b', '1', '1b'])
    expect(server.requests()).toBe(3)
  })

  it('a walk that is cancelled between two items ends before the next page', async () => {
    const controller = new AbortController()
    const [client, server] = await clientOf((socket, n) => socket.end(page(n)))
    const walk = async () => {
      for await (const show of client.shows.filter({ country: 'us' }, { signal: controller.signal })) {
        if (show.id === '1') controller.abort(reason)
      }
    }
    await expect(walk()).rejects.toBe(reason)
    expect(server.requests()).toBe(2)
  })

  it('a walk that is left asks for no further page', async () => {
    const [client, server] = await clientOf((socket, n) => socket.end(page(n)))
    for await (const show of client.shows.filter({ country: 'us' })) if (show.id === '1b') break
    await server.released()
    expect(server.requests()).toBe(2)
  })

  it('many calls at once with one signal are no reason for a warning', async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    onTestFinished(() => void process.off('warning', note))
    const { signal } = new AbortController()
    const [client] = await clientOf((socket) => socket.end(good))
    const calls = Array.from({ length: 20 }, () => client.genres.list({}, { signal }))
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    await Promise.all(calls)
    expect(warnings).toEqual([])
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('many calls at once with one signal end together', async () => {
    const controller = new AbortController()
    const [client, server] = await clientOf((_, n) => n === 19 && controller.abort(reason))
    const calls = Array.from({ length: 20 }, () => client.genres.list({}, { signal: controller.signal }))
    for (const { reason: why } of (await Promise.allSettled(calls)) as PromiseRejectedResult[]) expect(why).toBe(reason)
    await server.released()
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('a signal that outlives many calls keeps none of their listeners', async () => {
    const { signal } = new AbortController()
    const [client] = await clientOf((socket) => socket.end(good))
    for (let i = 0; i < 3; i++) await client.genres.list({}, { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
