/**
 * PostGraphile 4 as a library behind `node:http`: `postgraphile-server.js CONNECTION`. Tuned: no watching, no logging, no
 * GraphiQL and no role switching; only what is indexed can be ordered and filtered by; JSON is passed through as JSON;
 * shows are printed beforehand in the database; titles and keywords are functions that PostgreSQL can plan.
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

// It is made in the background; without it nothing can be answered.
await handler.getGraphQLSchema()
const server = createServer(handler)
server.listen(0, '127.0.0.1', () => console.log(`listening ${(server.address() as AddressInfo).port}`))
process.once('SIGTERM', () => process.exit(0))
