import type { KeyStore } from '../accounts/keys/key-store.ts'
import type { Settings } from '../config.ts'

const DEMO_NAME = 'demo, renewed at each start'

export interface DemoKeys {
  readonly direct: string
  readonly marketplace: string
}

/**
 * Makes a pair of keys to try the service with, and ends the pair of the start before: secrets are not kept, so a
 * former pair could not be shown again.
 */
export async function renewDemoKeys(keys: KeyStore, now: number): Promise<DemoKeys> {
  const act = { by: 'service', now } as const
  for (const { id, name, revokedAt } of keys.list()) {
    if (name === DEMO_NAME && revokedAt === undefined) await keys.revoke(id, act)
  }
  const make = async (source: 'direct' | 'marketplace') =>
    (await keys.create({ source, plan: 'unlimited', name: DEMO_NAME }, act)).key
  return { direct: await make('direct'), marketplace: await make('marketplace') }
}

/** What a newcomer needs to send a first request. */
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

/** What whoever wanted the demo needs where there is another catalog. */
export function ownCatalogBanner(address: string, { dataDir }: Pick<Settings, 'dataDir'>): string {
  return `
Marquee serves ${address}
The folder ${dataDir} has a catalog of its own, so no demo was made, and no keys for it.
\`npx marquee keys create\` makes a key; with MARQUEE_DATA set to a new folder, \`serve --demo\` makes the demo there.

`
}
