import { useFormats, useMessages } from '../app/context.ts'
import { Table } from '../components/table.tsx'
import { operatorMessages } from '../messages/tables.ts'
import { LiveView, useLiveQuery } from '../platform/live-view.tsx'
import type { Account } from '../platform/session.ts'
import { OperatorLayout } from './operator-layout.tsx'

interface AuditEntry {
  readonly at: number
  readonly by: string
  readonly action: string
  readonly target: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** The audit log of accounts, keys and plans. */
export default function AuditPage() {
  const t = useMessages(operatorMessages).audit
  return (
    <OperatorLayout title={t.title} lead={t.lead}>
      <Entries />
    </OperatorLayout>
  )
}

function Entries() {
  const format = useFormats()
  const t = useMessages(operatorMessages).audit
  const live = useLiveQuery<{ entries: AuditEntry[] }>('/operator/audit')
  const people = useLiveQuery<{ accounts: Account[] }>('/operator/accounts')
  const findEmail = (id: string) => people.value?.accounts.find((account) => account.id === id)?.email
  const actor = (by: string) => {
    if (by.startsWith('account:')) return findEmail(by.slice('account:'.length)) ?? by
    return { operator: t.operator, marketplace: t.marketplace, service: t.service }[by] ?? by
  }
  return (
    <LiveView of={live} height="30rem">
      {({ entries }) => (
        <div class="audit-table">
          <Table caption={t.title} head={[t.when, t.who, t.what, t.target, t.details]}>
            {entries.map(({ at, by, action, target, details }, place) => (
              <tr key={place}>
                <td class="nowrap">{format.instant(at)}</td>
                <td>{actor(by)}</td>
                <td>{t.actions[action] ?? action}</td>
                <td>{findEmail(target) ?? <code class="audit-details">{target}</code>}</td>
                <td class="audit-details">{details !== undefined && detailText(details)}</td>
              </tr>
            ))}
          </Table>
        </div>
      )}
    </LiveView>
  )
}

/** `from: free, to: pro` */
function detailText(details: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(details).map(([name, value]) => {
    return `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`
  })
  return texts.join(', ')
}
