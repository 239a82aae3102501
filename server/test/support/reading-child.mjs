/**
 * A process that keeps asking a catalog that another one writes, through the built program's own code, and looks
 * whether each answer is of one round of feeds. Tells its parent of every round that it sees for the first time, and
 * of everything that does not fit; ends when it disconnects.
 */
import { Catalog } from '../../dist/catalog/catalog.js'
import { openEnvironment } from '../../dist/catalog/storage/environment.js'
import { ENDPOINTS } from '../../dist/http/api/endpoints.js'
import { parameterReader } from '../../dist/http/request/parameter-parser.js'
import { CatalogAnswers } from '../../dist/render/catalog-query-engine.js'

const [folder, now, ids] = [process.argv[2], Number(process.argv[3]), process.argv[4].split(',')]
const catalog = new Catalog(openEnvironment(folder, { readOnly: true }))
const answers = new CatalogAnswers(catalog)
const endpoint = Object.fromEntries(ENDPOINTS.map((one) => [one.operationId, one]))

process.on('disconnect', () => process.exit(0))

/** The answer and the version that it is of, both read in one turn of the event loop. */
function ask(operation, search, path = {}) {
  const { parameters, toQuery } = endpoint[operation]
  const reader = parameterReader(parameters)
  const context = { names: answers.names(), now, countries: 'array' }
  const query = toQuery(reader.values(reader.scan(search, true)), path, context)
  const version = answers.version()
  return { version, text: answers.answer(query, now).body.bytes.toString() }
}

let lastVersion = 0
let lastRound = -1
let asked = 0

/** Every title, text and link of an answer bears the number of its round. */
function look(what, { version, text }) {
  asked++
  const rounds = [...new Set([...text.matchAll(/round[ =/](\d+)/g)].map(([, round]) => Number(round)))]
  if (rounds.length !== 1) process.send({ problem: `${what} at version ${version} is of the rounds ${rounds.join()}` })
  const round = Math.max(...rounds)
  if (version < lastVersion) process.send({ problem: `${what}: version ${version} after ${lastVersion}` })
  if (round < lastRound) process.send({ problem: `${what}: round ${round} after ${lastRound}` })
  if (version === lastVersion && round !== lastRound && lastRound >= 0) {
    process.send({ problem: `${what}: rounds ${lastRound} and ${round} at version ${version}` })
  }
  if (round > lastRound) process.send({ round, version, asked, at: Date.now() })
  lastVersion = Math.max(lastVersion, version)
  lastRound = Math.max(lastRound, round)
  return text
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

for (;;) {
  for (const order of ['original_title', 'rating', 'popularity_1week']) {
    for (let cursor = '', shows = 0; ; ) {
      const search = `country=us&order_by=${order}&series_granularity=episode${cursor}`
      const page = JSON.parse(look(`a page by ${order}`, ask('searchShowsByFilters', search)))
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
    look(`show ${id}`, ask('getShow', '', { id }))
    await turn()
  }
  look('a title search', ask('searchShowsByTitle', 'country=us&title=group&series_granularity=episode'))
  await turn()
}
