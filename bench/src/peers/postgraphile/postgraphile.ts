import { Peer } from '../peer.ts'
import type { PeerSetting } from '../peer-setting.ts'
import { filledPostgres } from '../postgres/postgres.ts'
import { graphPage, graphRequest } from './graph-request.ts'

/** PostGraphile on the same PostgreSQL server. */
export async function startPostgraphile(setting: PeerSetting): Promise<Peer> {
  const postgres = await filledPostgres(setting)
  return await Peer.start({
    name: 'PostGraphile',
    program: 'postgraphile/postgraphile-server.js',
    args: [JSON.stringify(postgres.connection)],
    kinds: ['show', 'filters', 'title', 'changes'],
    plainOnly: true,
    pids: [postgres.pid],
    stop: () => postgres.stop(),
    request: graphRequest,
    page: graphPage,
  })
}
