/**
 * A process that reads a damaged data folder with the code of the built program: it verifies, exports and answers requests as the
 * commands and a worker do, but for the start of each. Prints one JSON object: what each said, as a digest, or the damage that
 * it named. Anything else that is thrown ends it with a stack trace.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { openAccounts } from '../../../dist/accounts/accounts.js'
import { Catalog } from '../../../dist/catalog/catalog.js'
import { findDamage } from '../../../dist/catalog/storage/environment.js'
import { describeFailure } from '../../../dist/commands/terminal/command-exit.js'
import { ENDPOINTS } from '../../../dist/http/api/endpoints.js'
import { createParameterParser } from '../../../dist/http/request/parameter-parser.js'
import { exportFeed } from '../../../dist/ingest/export-feed.js'
import { checkPages } from '../../../dist/lib/lmdb/page-check.js'
import { CatalogQueryEngine } from '../../../dist/render/catalog-query-engine.js'
import { openExistingCatalog } from '../../../dist/runtime/open-ledger.js'
import { verifyDataFolder, verifyOtherFiles } from '../../../dist/runtime/verify-folder.js'

const [folder, key, ...paths] = process.argv.slice(2)
const now = Math.floor(Date.now() / 1000)
process.env.MARQUEE_DATA = folder

/** What work says, as a digest, or the damage that it names. */
async function attempt(name, work) {
  try {
    return {
      digest: createHash('sha256')
        .update(await work())
        .digest('hex')
        .slice(0, 16),
    }
  } catch (error) {
    const damage = findDamage(error)?.message ?? describeFailure(error)
    if (damage === undefined) throw new Error(`${name} failed`, { cause: error })
    return { damage }
  }
}

const verify = await attempt('verify', async () => {
  await openExistingCatalog(folder).root.close()
  await verifyOtherFiles(folder)
  const { problems } = await verifyDataFolder(folder)
  if (problems.length > 0) throw Object.assign(new Error(), { code: -30_796 })
  return 'whole'
})

const exported = await attempt('export', async () => {
  const environment = openExistingCatalog(folder)
  try {
    const [, ...records] = exportFeed(new Catalog(environment))
    return JSON.stringify(records)
  } finally {
    await environment.root.close()
  }
})

/** Finds the endpoint of a path, and executes its query. */
function answer(engine, url) {
  const { pathname, search } = new URL(url, 'http://localhost')
  const parts = pathname.slice('/v4'.length).split('/')
  const matches = (path) =>
    path.length === parts.length && path.every((part, i) => part === parts[i] || part.startsWith('{'))
  const found = ENDPOINTS.filter(({ path }) => matches(path.split('/')))
  const { path, parameters, toQuery } = found.find((one) => !one.path.includes('{')) ?? found[0]
  const values = path.split('/').flatMap((part, i) => (part.startsWith('{') ? [[part.slice(1, -1), parts[i]]] : []))
  const parser = createParameterParser(parameters)
  const context = { names: engine.names(), now, countries: 'array' }
  const query = toQuery(parser.parse(parser.scan(search.slice(1), true)), Object.fromEntries(values), context)
  return engine.execute(query, now).body.bytes.toString()
}

// The service refuses a folder with damaged pages at its start.
const start = await attempt('serve', async () => {
  for (const part of ['catalog', 'accounts']) checkPages(join(folder, part))
  return ''
})
const answers = {}
if (start.damage === undefined) {
  const accounts = openAccounts(join(folder, 'accounts'))
  answers['the key'] = await attempt('the key', async () => JSON.stringify(accounts.keys.find(key, now) ?? 'unknown'))
  await accounts.close()
  const environment = openExistingCatalog(folder)
  const engine = new CatalogQueryEngine(new Catalog(environment))
  for (const path of paths) answers[path] = await attempt(path, async () => answer(engine, path))
  await environment.root.close()
}
process.stdout.write(JSON.stringify({ verify, exported, start, answers }))
