import { useState } from 'preact/hooks'
import { formatList } from '../i18n/formats.ts'
import { formatAgo, formatInstant } from '../i18n/measures.ts'
import { keptKey } from '../platform/kept-key.ts'
import type { KeyRecord, MadeKey } from '../platform/key-record.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EditKey, RevokeKey, RotateKey } from './key-dialogs.tsx'
import { dashboardMessages } from './messages.ts'

interface KeyCardProps {
  readonly record: KeyRecord
  readonly onMade: (made: MadeKey) => void
  readonly onChanged: () => void
  readonly onRevoked: () => void
}

/** One key: what is known of it, and what can be done to it. */
export function KeyCard({ record, onMade, onChanged, onRevoked }: KeyCardProps) {
  const t = dashboardMessages.current.keys
  const [open, setOpen] = useState<'edit' | 'rotate' | 'revoke'>()
  const { name, hint, origins, createdAt, revokedAt, previous, lastUsedAt, lastOrigin } = record
  const close = () => setOpen(undefined)
  const isOverlapping = previous !== undefined && previous.endsAt * 1000 > Date.now()
  const used = lastUsedAt === undefined ? t.never : formatAgo(lastUsedAt)
  return (
    <article class={`card key-card ${revokedAt === undefined ? '' : 'is-revoked'}`}>
      <div class="key-card-head">
        <h3>{name}</h3>
        <code>{hint}</code>
        {revokedAt !== undefined && <Badge kind="bad">{t.revoked(formatAgo(revokedAt))}</Badge>}
        {keptKey.value?.id === record.id && <Badge kind="accent">{t.inUse}</Badge>}
      </div>
      {isOverlapping && revokedAt === undefined && (
        <p class="key-card-overlap">
          <Badge kind="warn">⟳</Badge> {t.overlap(previous.hint, formatInstant(previous.endsAt))}
        </p>
      )}
      <dl class="facts">
        <dt>{t.created}</dt>
        <dd>{formatInstant(createdAt)}</dd>
        <dt>{t.lastUsed}</dt>
        <dd>{lastOrigin === undefined ? used : `${used}, ${t.from(lastOrigin)}`}</dd>
        <dt>{t.allowed}</dt>
        <dd>{origins === undefined ? t.anywhere : formatList(origins)}</dd>
      </dl>
      {revokedAt === undefined && (
        <div class="row">
          <Button onClick={() => setOpen('edit')}>{t.edit}</Button>
          <Button onClick={() => setOpen('rotate')}>{t.rotate}</Button>
          <Button kind="danger" onClick={() => setOpen('revoke')}>
            {t.revoke}
          </Button>
        </div>
      )}
      {open === 'edit' && <EditKey record={record} onClose={close} onDone={onChanged} />}
      {open === 'rotate' && <RotateKey record={record} onClose={close} onDone={onMade} />}
      {open === 'revoke' && <RevokeKey record={record} onClose={close} onDone={onRevoked} />}
    </article>
  )
}
