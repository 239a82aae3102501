import type { Scenario } from '../context.ts'
import { createKey, runMarquee } from '../lib/marquee-cli.ts'
import { compareTargets } from '../measure/compare.ts'
import { Marquee } from '../targets/marquee.ts'
import { filterSearches } from '../workloads/filters.ts'
import { showsInOneCountry } from '../workloads/shows.ts'

/** The HTTP app with and without authentication, quotas, usage records and metrics. */
export const auth: Scenario = {
  name: 'auth',
  description: 'the cost of authentication, quotas, usage and metrics',
  async run(context) {
    const { sample, data } = await context.catalog()
    const { limit, marquee } = await context.targets()
    // A plan with limits that are never reached, so that quota and rate are checked on each request.
    await runMarquee(['plans', 'set', 'mega', '--requests', '1000000000', '--rate', '1000000'], data)
    const key = await createKey('mega', data)
    const peers = [await Marquee.startInProcess('auth', data, key), await Marquee.startInProcess('no-auth', data, key)]
    try {
      const workloads = []
      for (const [workload, requests] of [
        ['show by id', showsInOneCountry(sample)],
        ['filter searches', await filterSearches(marquee, sample)],
      ] as const) {
        const { results } = await compareTargets(context, { limit, marquee, peers }, `auth, ${workload}`, requests)
        const [, , withAuth, withoutAuth] = results
        workloads.push({ workload, auth: withAuth!.requestsPerSecond, noAuth: withoutAuth!.requestsPerSecond })
      }
      return { kind: 'auth', workloads }
    } finally {
      await Promise.all(peers.map((peer) => peer.stop()))
    }
  },
}
