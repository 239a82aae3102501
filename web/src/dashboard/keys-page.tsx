import { useEffect, useRef, useState } from 'preact/hooks'
import { useFormats, useMessages } from '../app/context.ts'
import { Button } from '../components/button.tsx'
import { Badge } from '../components/feedback.tsx'
import { dashboardMessages } from '../messages/tables.ts'
import { DeveloperLayout } from '../platform/developer-layout.tsx'
import { LiveView, useLiveQuery } from '../platform/live-view.tsx'
import type { CreatedKey, KeyRecord } from '../platform/stored-key.ts'
import { EditKey, RevokeKey, RotateKey } from './key-dialogs.tsx'
import { CreateKey, NewSecret } from './new-key.tsx'
import './keys-page.css'
import { useSession } from '../platform/session.ts'

/** The keys of the account: create, edit, rotate, revoke. */
export default function KeysPage() {
  const t = useMessages(dashboardMessages).keys
  return (
    <DeveloperLayout title={t.title} lead={t.lead} for="account">
      <Keys />
    </DeveloperLayout>
  )
}

function Keys() {
  const t = useMessages(dashboardMessages).keys
  const live = useLiveQuery<{ keys: KeyRecord[] }>('/keys')
  const [made, setMade] = useState<CreatedKey>()
  const heading = useRef<HTMLHeadingElement>(null)
  const take = (key: CreatedKey) => {
    setMade(key)
    live.reload()
  }
  const finish = () => {
    setMade(undefined)
    heading.current?.focus()
  }
  // A revoked key disappears with its button, so the focus moves to the heading.
  const isRevoking = useRef(false)
  const revoke = () => {
    isRevoking.current = true
    live.reload()
  }
  useEffect(() => {
    if (isRevoking.current) heading.current?.focus()
    isRevoking.current = false
  }, [live.value])
  return (
    <>
      {made === undefined ? <CreateKey onCreated={take} /> : <NewSecret made={made} onDone={finish} />}
      <h2 ref={heading} tabIndex={-1}>
        {t.list}
      </h2>
      <LiveView of={live}>
        {({ keys }) => <KeyList keys={keys} onCreated={take} onChanged={live.reload} onRevoked={revoke} />}
      </LiveView>
    </>
  )
}

interface KeyListProps {
  readonly keys: readonly KeyRecord[]
  readonly onCreated: (made: CreatedKey) => void
  readonly onChanged: () => void
  readonly onRevoked: () => void
}

/** Active keys, newest first; revoked ones on demand. */
function KeyList({ keys, ...acts }: KeyListProps) {
  const t = useMessages(dashboardMessages).keys
  const [isAllShown, setAllShown] = useState(false)
  const revoked = keys.filter(({ revokedAt }) => revokedAt !== undefined)
  const active = keys.filter(({ revokedAt }) => revokedAt === undefined)
  const shown = [...active.reverse(), ...(isAllShown ? revoked.reverse() : [])]
  return (
    <>
      {active.length === 0 && <p class="soft">{t.none}</p>}
      <ul class="key-list">
        {shown.map((key) => (
          <li key={key.id}>
            <KeyCard record={key} {...acts} />
          </li>
        ))}
      </ul>
      {revoked.length > 0 && !isAllShown && (
        <Button kind="quiet" onClick={() => setAllShown(true)}>
          {t.showRevoked(revoked.length)}
        </Button>
      )}
    </>
  )
}

interface KeyCardProps {
  readonly record: KeyRecord
  readonly onCreated: (made: CreatedKey) => void
  readonly onChanged: () => void
  readonly onRevoked: () => void
}

/** A key with its actions. */
function KeyCard({ record, onCreated, onChanged, onRevoked }: KeyCardProps) {
  const { storedKey } = useSession()
  const format = useFormats()
  const t = useMessages(dashboardMessages).keys
  const [open, setOpen] = useState<'edit' | 'rotate' | 'revoke'>()
  const { name, hint, origins, createdAt, revokedAt, previous, lastUsedAt, lastOrigin } = record
  const close = () => setOpen(undefined)
  const isOverlapping = previous !== undefined && previous.endsAt * 1000 > Date.now()
  const used = lastUsedAt === undefined ? t.never : format.ago(lastUsedAt)
  return (
    <article class={`card key-card ${revokedAt === undefined ? '' : 'is-revoked'}`}>
      <div class="key-card-head">
        <h3>{name}</h3>
        <code>{hint}</code>
        {revokedAt !== undefined && <Badge kind="bad">{t.revoked(format.ago(revokedAt))}</Badge>}
        {storedKey.value?.id === record.id && <Badge kind="accent">{t.inUse}</Badge>}
      </div>
      {isOverlapping && revokedAt === undefined && (
        <p class="key-card-overlap">
          <Badge kind="warn">⟳</Badge> {t.overlap(previous.hint, format.instant(previous.endsAt))}
        </p>
      )}
      <dl class="facts">
        <dt>{t.created}</dt>
        <dd>{format.instant(createdAt)}</dd>
        <dt>{t.lastUsed}</dt>
        <dd>{lastOrigin === undefined ? used : `${used}, ${t.from(lastOrigin)}`}</dd>
        <dt>{t.allowed}</dt>
        <dd>{origins === undefined ? t.anywhere : format.list(origins)}</dd>
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
      {open === 'rotate' && <RotateKey record={record} onClose={close} onDone={onCreated} />}
      {open === 'revoke' && <RevokeKey record={record} onClose={close} onDone={onRevoked} />}
    </article>
  )
}
