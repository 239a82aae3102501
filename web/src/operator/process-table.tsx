import { formatBytes, formatSpan } from '../i18n/measures.ts'
import { Table } from '../ui/table.tsx'
import { operatorMessages } from './messages.ts'
import type { ProcessStatus } from './operator-status.ts'

/** The processes of the service, and what they take. */
export function ProcessTable({ processes, now }: { processes: readonly ProcessStatus[]; now: number }) {
  const t = operatorMessages.current.processes
  const greatest = Math.max(1, ...processes.map(({ residentBytes }) => residentBytes))
  return (
    <Table caption={t.title} isCaptionSeen={true} head={[t.process, t.role, t.since, t.memory]}>
      {processes.map(({ pid, role, startedAt, residentBytes }) => (
        <tr key={pid}>
          <th scope="row">{pid}</th>
          <td>{t.roles[role]}</td>
          <td>{formatSpan(Math.max(0, now - startedAt))}</td>
          <td>
            {formatBytes(residentBytes)}
            <span
              class="memory-bar"
              aria-hidden="true"
              style={{ '--share': `${Math.round((residentBytes / greatest) * 100)}%` }}
            />
          </td>
        </tr>
      ))}
    </Table>
  )
}
