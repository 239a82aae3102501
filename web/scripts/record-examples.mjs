/**
 * Records an answer of every operation from a running service, best from one on the demo catalog, into `spec/examples.json`,
 * which the reference shows. Long lists are cut to two entries, so that an example can be read.
 *
 *   node web/scripts/record-examples.mjs http://127.0.0.1:8080 KEY
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [address, key] = process.argv.slice(2)
if (key === undefined) throw new Error('Usage: node web/scripts/record-examples.mjs ADDRESS KEY')

const root = new URL('../../', import.meta.url)
const { paths } = JSON.parse(readFileSync(new URL('spec/openapi.json', root), 'utf8'))

const MAX_ENTRIES = 2
const MAX_LINES = 4

/** Values beside the examples of required parameters, for shorter answers. */
const VALUES = {
  getShow: { id: 'tt0068646', country: 'us' },
  getShows: { ids: 'tt0068646,tt0903747', country: 'us', series_granularity: 'show' },
  getShowHistory: { id: 'tt0068646' },
  getSimilarShows: { id: 'tt0068646', limit: '1' },
  searchShowsByFilters: { genres: 'thriller', order_by: 'popularity_1week', limit: '1' },
  countShows: { genres: 'thriller' },
  searchShowsByTitle: { limit: '1' },
  searchPeople: { limit: '2' },
}

const examples = {}
for (const [path, { get }] of Object.entries(paths)) {
  const required = (get.parameters ?? []).filter((parameter) => parameter.required)
  const values = {
    ...Object.fromEntries(required.map(({ name, example }) => [name, String(example)])),
    ...VALUES[get.operationId],
  }
  let filled = path
  for (const { name, in: place } of get.parameters ?? []) {
    if (place !== 'path') continue
    filled = filled.replace(`{${name}}`, encodeURIComponent(values[name]))
    delete values[name]
  }
  const query = new URLSearchParams(values).toString().replaceAll('%2C', ',')
  const request = `/v4${filled}${query === '' ? '' : `?${query}`}`
  const stop = new AbortController()
  const response = await fetch(address + request, { headers: { 'X-API-Key': key }, signal: stop.signal })
  if (!response.ok) throw new Error(`${request}: ${response.status} ${await response.text()}`)
  const isJson = response.headers.get('content-type').startsWith('application/json')
  examples[get.operationId] = {
    request,
    ...(isJson ? { json: shorten(await response.json()) } : { text: await firstLines(response) }),
  }
  stop.abort()
}
const file = fileURLToPath(new URL('spec/examples.json', root))
writeFileSync(file, `${JSON.stringify(examples, null, 2).replaceAll(address, 'https://marquee.example')}\n`)

/** Cuts lists, and of the shows of changes those that no change is left of. */
function shorten(value) {
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map(shorten)
  if (value === null || typeof value !== 'object') return value
  const short = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shorten(inner)]))
  if (!Array.isArray(short.changes)) return short
  const ids = new Set(short.changes.map(({ showId }) => showId))
  return { ...short, shows: Object.fromEntries(Object.entries(short.shows).filter(([id]) => ids.has(id))) }
}

/** The first lines of a stream, as far as they come at once. */
async function firstLines(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (text.split('\n').length <= MAX_LINES) {
    const { value, done } = await Promise.race([
      reader.read(),
      new Promise((resolve) => setTimeout(resolve, 3000, { done: true })),
    ])
    if (done) break
    text += value
  }
  return `${text.split('\n').slice(0, MAX_LINES).join('\n').slice(0, 1200)}\n…`
}
