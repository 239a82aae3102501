import { formatInstant } from '../i18n/measures.ts'
import type { KeyRecord } from '../platform/key-record.ts'
import { platformMessages } from '../platform/messages.ts'
import type { UsageReport } from '../platform/usage-report.ts'
import { Badge } from '../ui/badge.tsx'
import { Table } from '../ui/table.tsx'
import { dashboardMessages } from './messages.ts'

interface LatestErrorsProps {
  readonly failures: UsageReport['failures']
  readonly keys: readonly KeyRecord[]
}

const MOST = 10

/** What went wrong lately, newest first. */
export function LatestErrors({ failures, keys }: LatestErrorsProps) {
  const t = dashboardMessages.current.usage
  const nameOf = (id: string) => keys.find((key) => key.id === id)?.name ?? t.unknownKey
  if (failures.length === 0) {
    return (
      <section class="card stack">
        <h2>{t.errors}</h2>
        <p class="soft">{t.noErrors}</p>
      </section>
    )
  }
  return (
    <Table
      caption={t.errors}
      isCaptionSeen={true}
      head={[t.when, t.status, t.code, platformMessages.current.endpoint, t.key]}
    >
      {failures.slice(0, MOST).map(({ at, status, code, endpoint, keyId }, place) => (
        <tr key={place}>
          <td class="nowrap">{formatInstant(at)}</td>
          <td>
            <Badge kind={status >= 500 ? 'bad' : 'warn'}>{status}</Badge>
          </td>
          <td>
            <code>{code}</code>
          </td>
          <td>{endpoint}</td>
          <td>{nameOf(keyId)}</td>
        </tr>
      ))}
    </Table>
  )
}
