import type { Confirmation, SourceRecord } from '../../catalog/storage/meta.ts'

/** What a complete snapshot covers; an absent list covers all. */
interface SnapshotScope {
  readonly countries?: ReadonlySet<string>
  readonly services?: ReadonlySet<string>
}

/** As many as are kept of a source, the latest. What only older ones cover counts as confirmed earlier, or not at all. */
const MAX_CONFIRMATIONS = 256

/** The confirmations of a source after a complete snapshot. One that the new one covers says nothing more. */
export function confirmSource(
  { confirmedAt, confirmations = [] }: Pick<SourceRecord, 'confirmedAt' | 'confirmations'>,
  at: number,
  scope: SnapshotScope,
): Pick<SourceRecord, 'confirmedAt' | 'confirmations'> {
  const { countries, services } = scope
  if (countries === undefined && services === undefined) return { confirmedAt: at }
  const confirmation = {
    at,
    ...(countries !== undefined && { countries: [...countries].sort() }),
    ...(services !== undefined && { services: [...services].sort() }),
  }
  const kept = [...confirmations.filter((one) => !isWithin(one, scope)), confirmation].slice(-MAX_CONFIRMATIONS)
  return { ...(confirmedAt !== undefined && { confirmedAt }), confirmations: kept }
}

/** Whether a scope covers all that a confirmation does. */
function isWithin(confirmation: Confirmation, { countries, services }: SnapshotScope): boolean {
  return isSubset(confirmation.countries, countries) && isSubset(confirmation.services, services)
}

/** An absent list has all ids. */
function isSubset(ids: readonly string[] | undefined, all: ReadonlySet<string> | undefined): boolean {
  return all === undefined || ids?.every((id) => all.has(id)) === true
}
