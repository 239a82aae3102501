/**
 * PostGraphile 4 as a library on `node:http`: `postgraphile-server.js CONNECTION`. Tuned: no schema watching, no logging,
 * no GraphiQL, no role switching; JSON passed through unparsed; shows prerendered in the database; title and keyword
 * searches as database functions.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { postgraphile } from 'postgraphile'
import ConnectionFilterPlugin from 'postgraphile-plugin-connection-filter'

const pool = new pg.Pool({
  ...(JSON.parse(process.argv[2]!) as pg.PoolConfig),
  max: 8,
  options: '-c plan_cache_mode=force_custom_plan',
})

const handler = postgraphile(pool, 'public', {
  watchPg: false,
  graphiql: false,
  disableQueryLog: true,
  disableDefaultMutations: true,
  dynamicJson: true,
  enableQueryBatching: true,
  ignoreRBAC: true,
  legacyRelations: 'omit',
  setofFunctionsContainNulls: false,
  appendPlugins: [ConnectionFilterPlugin],
  graphileBuildOptions: { pgUsePartitionedParent: true, connectionFilterComputedColumns: false },
})

// The schema is built in the background; wait for it before listening.
await handler.getGraphQLSchema()
const server = createServer(handler)
server.listen(0, '127.0.0.1', () => console.log(`listening ${(server.address() as AddressInfo).port}`))
process.once('SIGTERM', () => process.exit(0))
