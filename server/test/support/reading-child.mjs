/**
 * A process that queries a catalog in a loop while another process writes it, with the code of the built program, and
 * checks that each response is of one round of feeds. Sends a message for each new round and for each violation; exits
 * on disconnect.
 */
import { Catalog } from '../../dist/catalog/catalog.js'
import { openEnvironment } from '../../dist/catalog/storage/environment.js'
import { ENDPOINTS } from '../../dist/http/api/endpoints.js'
import { createParameterParser } from '../../dist/http/request/parameter-parser.js'
import { CatalogQueryEngine } from '../../dist/render/catalog-query-engine.js'

const [folder, now, ids] = [process.argv[2], Number(process.argv[3]), process.argv[4].split(',')]
const catalog = new Catalog(openEnvironment(folder, { readOnly: true }))
const engine = new CatalogQueryEngine(catalog)
const endpoint = Object.fromEntries(ENDPOINTS.map((one) => [one.operationId, one]))

process.on('disconnect', () => process.exit(0))

/** The response and its catalog version, read in one turn of the event loop. */
function query(operation, search, path = {}) {
  const { parameters, toQuery } = endpoint[operation]
  const parser = createParameterParser(parameters)
  const context = { names: engine.names(), now, countries: 'array' }
  const parsed = toQuery(parser.parse(parser.scan(search, true)), path, context)
  const version = engine.version()
  return { version, text: engine.execute(parsed, now).body.bytes.toString() }
}

let lastVersion = 0
let lastRound = -1
let queries = 0

/** Checks a response: every title, text and link carries the number of its round. */
function check(what, { version, text }) {
  queries++
  const rounds = [...new Set([...text.matchAll(/round[ =/](\d+)/g)].map(([, round]) => Number(round)))]
  if (rounds.length !== 1) process.send({ problem: `${what} at version ${version} is of the rounds ${rounds.join()}` })
  const round = Math.max(...rounds)
  if (version < lastVersion) process.send({ problem: `${what}: version ${version} after ${lastVersion}` })
  if (round < lastRound) process.send({ problem: `${what}: round ${round} after ${lastRound}` })
  if (version === lastVersion && round !== lastRound && lastRound >= 0) {
    process.send({ problem: `${what}: rounds ${lastRound} and ${round} at version ${version}` })
  }
  if (round > lastRound) process.send({ round, version, asked: queries, at: Date.now() })
  lastVersion = Math.max(lastVersion, version)
  lastRound = Math.max(lastRound, round)
  return text
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

for (;;) {
  for (const order of ['original_title', 'rating', 'popularity_1week']) {
    for (let cursor = '', shows = 0; ; ) {
      const search = `country=us&order_by=${order}&series_granularity=episode${cursor}`
      const page = JSON.parse(check(`a page by ${order}`, query('searchShowsByFilters', search)))
      await turn()
      shows += page.shows.length
      if (page.hasMore) {
        cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`
        continue
      }
      if (shows !== ids.length) process.send({ problem: `The pages by ${order} held ${shows} shows` })
      break
    }
  }
  for (const id of ids) {
    check(`show ${id}`, query('getShow', '', { id }))
    await turn()
  }
  check('a title search', query('searchShowsByTitle', 'country=us&title=group&series_granularity=episode'))
  await turn()
}
