import { useState } from 'preact/hooks'
import { useFormats, useMessages } from '../app/context.ts'
import { Button, CopyButton } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Badge, Notice } from '../components/feedback.tsx'
import { operatorMessages, platformMessages } from '../messages/tables.ts'
import { LiveView, useLiveQuery } from '../platform/live-view.tsx'
import type { PlatformRequest } from '../platform/platform-request.ts'
import { type Account, useSession } from '../platform/session.ts'
import type { KeyRecord } from '../platform/stored-key.ts'
import { ErrorNotice, useSubmit } from '../platform/submit.tsx'

interface AccountDetails {
  readonly account: Account
  readonly keys: readonly KeyRecord[]
  readonly sessions: readonly object[]
}

interface AccountDialogProps {
  readonly account: Account
  /** Called after every change, so that the list is fetched again. */
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** What an admin can do with an account: password link, role, sessions, keys, disable and delete. */
export function AccountDialog({ account: listed, onChanged, onClose }: AccountDialogProps) {
  const session = useSession()
  const format = useFormats()
  const t = useMessages(operatorMessages).accounts
  const path = `/operator/accounts/${listed.id}`
  const live = useLiveQuery<AccountDetails>(path)
  const submit = useSubmit()
  const [isConfirming, setConfirming] = useState(false)
  const [resetLink, setResetLink] = useState<string>()
  const [done, setDone] = useState<string>()
  const known = session.state.value
  const hasMail = known.state === 'ready' && known.value.mail === true
  const isOwn = session.person?.account.id === listed.id

  const send = <T,>(request: PlatformRequest, onDone?: (response: T) => void) =>
    submit.run(async () => {
      const response = await session.fetch<T>(request)
      onDone?.(response)
      onChanged()
      live.reload()
    })
  const change = (body: object) => send({ method: 'PATCH', path, body })
  const createLink = () =>
    send<{ code: string }>({ method: 'POST', path: `${path}/reset` }, ({ code }) =>
      setResetLink(`${window.location.origin}/reset-password#${code}`),
    )
  const mailLink = () =>
    send<{ email: string }>({ method: 'POST', path: `${path}/reset-mail` }, ({ email }) => setDone(t.linkMailed(email)))
  const endSessions = () =>
    send<{ ended: number }>({ method: 'DELETE', path: `${path}/sessions` }, ({ ended }) =>
      setDone(t.sessionsEnded(ended)),
    )
  const remove = () => {
    if (!isConfirming) setConfirming(true)
    else void submit.run(() => session.fetch({ method: 'DELETE', path })).then((isDone) => isDone && finish())
  }
  const finish = () => {
    onChanged()
    onClose()
  }
  return (
    <Dialog title={listed.email} onClose={onClose}>
      <LiveView of={live} height="12rem">
        {({ account, keys, sessions }) => (
          <div class="stack">
            <dl class="facts">
              <dt>{t.state}</dt>
              <dd>
                {account.disabledAt === undefined ? t.active : t.disabledSince(format.instant(account.disabledAt))}
              </dd>
              <dt>{t.role}</dt>
              <dd>{account.role}</dd>
              <dt>{t.sessions}</dt>
              <dd>{format.number(sessions.length)}</dd>
            </dl>
            <Keys keys={keys} onRevoke={(id) => send({ method: 'DELETE', path: `/operator/keys/${id}` })} />
            {resetLink !== undefined && <OneTimeText label={t.resetLink} text={resetLink} hint={t.resetHint} />}
            {done !== undefined && (
              <Notice kind="good" isUrgent={true}>
                <p>{done}</p>
              </Notice>
            )}
            <ErrorNotice error={submit.error} />
            {isOwn && <p class="soft">{t.ownAccount}</p>}
            <div class="button-row">
              <Button onClick={createLink}>{t.resetLink}</Button>
              {hasMail && <Button onClick={mailLink}>{t.mailLink}</Button>}
              <Button onClick={endSessions}>{t.endSessions}</Button>
              {!isOwn && (
                <>
                  <Button onClick={() => change({ role: account.role === 'admin' ? 'developer' : 'admin' })}>
                    {account.role === 'admin' ? t.demote : t.promote}
                  </Button>
                  <Button onClick={() => change({ disabled: account.disabledAt === undefined })}>
                    {account.disabledAt === undefined ? t.disable : t.enable}
                  </Button>
                  <Button kind="danger" onClick={remove}>
                    {isConfirming ? t.confirmDelete : t.delete}
                  </Button>
                </>
              )}
            </div>
          </div>
        )}
      </LiveView>
      <div class="dialog-actions">
        <Button kind="main" onClick={onClose}>
          {t.close}
        </Button>
      </div>
    </Dialog>
  )
}

function Keys({ keys, onRevoke }: { keys: readonly KeyRecord[]; onRevoke: (id: string) => void }) {
  const t = useMessages(operatorMessages).accounts
  return (
    <section class="stack">
      <h3>{t.keyList}</h3>
      {keys.length === 0 && <p class="soft">{t.noKeys}</p>}
      <ul class="account-keys">
        {keys.map(({ id, name, hint, revokedAt }) => (
          <li key={id}>
            <span>
              {name} <code>{hint}</code>
            </span>
            {revokedAt === undefined ? (
              <Button kind="quiet" onClick={() => onRevoke(id)} aria-label={`${t.revoke}: ${name}`}>
                {t.revoke}
              </Button>
            ) : (
              <Badge kind="plain">{t.revoked}</Badge>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A text that is shown only once, with a button that copies it. */
export function OneTimeText({ label, text, hint }: { label: string; text: string; hint?: string }) {
  const { copy, copied, copyFailed } = useMessages(platformMessages)
  return (
    <Notice kind="good" isUrgent={true} title={label}>
      <p class="one-time-text">
        <code>{text}</code>
      </p>
      {hint !== undefined && <p>{hint}</p>}
      <CopyButton text={text} label={copy} doneLabel={copied} failedLabel={copyFailed} />
    </Notice>
  )
}
