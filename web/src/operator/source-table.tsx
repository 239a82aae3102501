import { formatNumber } from '../i18n/formats.ts'
import { formatAgo, formatInstant } from '../i18n/measures.ts'
import { Badge } from '../ui/badge.tsx'
import { Table } from '../ui/table.tsx'
import { operatorMessages } from './messages.ts'
import type { SourceStatus } from './operator-status.ts'

/** Who feeds the catalog: how old the last import of each is, what it changed, and what was wrong with it. */
export function SourceTable({ sources, now }: { sources: readonly SourceStatus[]; now: number }) {
  const t = operatorMessages.current.sources
  return (
    <Table
      caption={t.title}
      isCaptionSeen={true}
      head={[t.source, t.lastImport, t.kind, t.read, t.changed, t.notices, t.offers]}
    >
      {sources.map(({ name, offers, lastImport }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td class="nowrap" title={formatInstant(lastImport.at)}>
            {formatAgo(lastImport.at, now)}
          </td>
          <td>
            {t.kinds[lastImport.mode]} {!lastImport.complete && <Badge kind="bad">{t.cut}</Badge>}
          </td>
          <td>{formatNumber(lastImport.shows)}</td>
          <td>
            <Counts counts={lastImport.changes} names={t.changes} none={t.nothing} />
          </td>
          <td>
            <Counts counts={lastImport.notices} names={{}} none={t.none} kind="warn" />
          </td>
          <td>{formatNumber(offers)}</td>
        </tr>
      ))}
    </Table>
  )
}

interface CountsProps {
  readonly counts: Readonly<Record<string, number>>
  readonly names: Readonly<Record<string, string>>
  readonly none: string
  readonly kind?: 'plain' | 'warn'
}

function Counts({ counts, names, none, kind = 'plain' }: CountsProps) {
  const there = Object.entries(counts).filter(([, count]) => count > 0)
  if (there.length === 0) return <>{none}</>
  return (
    <ul class="source-counts">
      {there.map(([name, count]) => (
        <li key={name}>
          <Badge kind={kind}>
            {formatNumber(count)} {names[name] ?? name}
          </Badge>
        </li>
      ))}
    </ul>
  )
}
