import type { KeyStore } from '../../accounts/keys/key-store.ts'
import type { Settings } from '../../config.ts'

const DEMO_KEY_NAME = 'demo, renewed at each start'

/** The keys that the demo prints, one of each source. */
interface DemoKeys {
  readonly direct: string
  readonly marketplace: string
}

/**
 * Creates a pair of demo keys and revokes that of the previous start. Only hashes are stored, so the old pair could not
 * be printed again.
 */
export async function renewDemoKeys(keys: KeyStore, now: number): Promise<DemoKeys> {
  const context = { by: 'service', now } as const
  for (const { id, name, revokedAt } of keys.list()) {
    if (name === DEMO_KEY_NAME && revokedAt === undefined) await keys.revoke(id, context)
  }
  const create = async (source: 'direct' | 'marketplace') =>
    (await keys.create({ source, plan: 'unlimited', name: DEMO_KEY_NAME }, context)).key
  return { direct: await create('direct'), marketplace: await create('marketplace') }
}

/** The text that a start with the demo prints: the keys and a request that works when pasted. */
export function demoBanner(address: string, keys: DemoKeys, { marketplace }: Pick<Settings, 'marketplace'>): string {
  return `
Marquee serves the demo catalog at ${address}
Its titles are real or made up; who streams them, where and for how much is invented.

  direct key       ${keys.direct}       on ${address}/v4, header X-API-Key
  marketplace key  ${keys.marketplace}  on ${address}, header X-${marketplace}-API-Key
  reference        ${address}/docs

Both keys last until the next start; \`npx marquee keys create\` makes one that stays. Try:

  curl -H 'X-API-Key: ${keys.direct}' '${address}/v4/shows/tt0068646?country=us'

`
}

/** The text that `serve --demo` prints if there is another catalog. */
export function noDemoBanner(address: string, { dataDir }: Pick<Settings, 'dataDir'>): string {
  return `
Marquee serves ${address}
The folder ${dataDir} has a catalog of its own, so no demo was made, and no keys for it.
\`npx marquee keys create\` makes a key; with MARQUEE_DATA set to a new folder, \`serve --demo\` makes the demo there.

`
}

/** The text that a start without a catalog prints: what to do next. */
export function emptyCatalogBanner(address: string, { dataDir }: Pick<Settings, 'dataDir'>): string {
  return `
Marquee serves ${address}
The folder ${dataDir} holds no catalog yet, so the service is not ready. What to do next, in another terminal:

  npx marquee admin create you@example.com   make an admin; all that follows is also a form at ${address}/operator/data
  npx marquee demo --import                  try the demo: a catalog that is made up
  npx marquee import FILE                    import a feed; with --guess any CSV table
  npx marquee sync tmdb --countries us       connect a source: copy what streams where from TMDB
  npx marquee keys create                    make a key for the API

`
}
