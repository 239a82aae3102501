import { useEffect, useRef, useState } from 'preact/hooks'
import { keepKey } from '../platform/kept-key.ts'
import type { MadeKey } from '../platform/key-record.ts'
import { platformMessages } from '../platform/messages.ts'
import { hrefTo } from '../routing/href-to.ts'
import { useLeaveQuestion } from '../routing/leave-question.ts'
import { navigate } from '../routing/location.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { dashboardMessages } from './messages.ts'

interface NewSecretProps {
  readonly made: MadeKey
  readonly onDone: () => void
}

/**
 * Shows a secret, this once. The reader can copy it, and let this tab keep it for examples; who does neither is asked
 * before leaving.
 */
export function NewSecret({ made: { key, record }, onDone }: NewSecretProps) {
  const t = dashboardMessages.current.keys
  const { copied, copyFailed } = platformMessages.current
  const [isSafe, setSafe] = useState(false)
  const leaveFreely = useLeaveQuestion(isSafe ? undefined : t.leave)
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    section.current?.focus()
    section.current?.scrollIntoView({ block: 'center' })
  }, [])
  const keep = () => {
    keepKey({ secret: key, id: record.id, name: record.name })
    leaveFreely()
    navigate(hrefTo('/docs/start'))
  }
  return (
    <section class="card stack new-secret" ref={section} tabIndex={-1} aria-label={t.made(record.name)}>
      <h2>{t.made(record.name)}</h2>
      <p>{t.once}</p>
      <code class="new-secret-text">{key}</code>
      <div class="row">
        <CopyButton
          kind="main"
          text={key}
          label={t.copy}
          doneLabel={copied}
          failedLabel={copyFailed}
          onDone={() => setSafe(true)}
        />
        <Button onClick={keep}>{t.tryIt}</Button>
        <Button onClick={onDone}>{t.done}</Button>
      </div>
      <p class="soft">{t.tryItHint}</p>
    </section>
  )
}
