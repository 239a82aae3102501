import { HeatMap } from '../charts/heat-map.tsx'
import { regionName } from '../i18n/formats.ts'
import { operatorMessages } from './messages.ts'
import type { OperatorStatus } from './operator-status.ts'

/** How many shows each service has in each country. The services with the most come first. */
export function Places({ places, services }: Pick<OperatorStatus, 'places' | 'services'>) {
  const t = operatorMessages.current.places
  if (places.length === 0) return null
  const totals = new Map<string, number>()
  for (const { services: counts } of places) {
    for (const [id, count] of Object.entries(counts)) totals.set(id, (totals.get(id) ?? 0) + count)
  }
  const rows = [...totals].sort(([, a], [, b]) => b - a).map(([id]) => ({ id, name: services[id] ?? id }))
  const columns = places
    .map(({ country }) => ({ id: country, name: regionName(country) }))
    .sort((a, b) => a.name.localeCompare(b.name))
  const byCountry = new Map(places.map(({ country, services: counts }) => [country, counts]))
  return (
    <section class="stack">
      <h2>{t.title}</h2>
      <p class="soft">{t.lead}</p>
      <HeatMap
        caption={t.title}
        corner={t.service}
        rows={rows}
        columns={columns}
        amount={(service, country) => byCountry.get(country)?.[service]}
      />
    </section>
  )
}
