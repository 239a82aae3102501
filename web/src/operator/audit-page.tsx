import { useFormats, useMessages } from '../app/context.ts'
import { RowFilter } from '../components/row-filter.tsx'
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
      {({ entries }) => {
        const rows = entries.map(({ at, by, action, target, details }) => ({
          at,
          who: actor(by),
          what: t.actions[action] ?? action,
          email: findEmail(target),
          target,
          details: details === undefined ? '' : detailText(details),
        }))
        return (
          <RowFilter
            rows={rows}
            textsOf={({ who, what, email, target, details }) => [who, what, email, target, details]}
            label={t.search}
            count={t.count}
          >
            {(found) => (
              <div class="audit-table">
                <Table caption={t.title} isRecords={true} head={[t.when, t.who, t.what, t.target, t.details]}>
                  {found.map(({ at, who, what, email, target, details }, place) => (
                    <tr key={place}>
                      <td data-label={t.when} class="nowrap">
                        {format.instant(at)}
                      </td>
                      <td data-label={t.who}>{who}</td>
                      <td data-label={t.what}>{what}</td>
                      <td data-label={t.target}>{email ?? <code class="audit-details">{target}</code>}</td>
                      <td data-label={t.details} class="audit-details">
                        {details}
                      </td>
                    </tr>
                  ))}
                </Table>
              </div>
            )}
          </RowFilter>
        )
      }}
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
