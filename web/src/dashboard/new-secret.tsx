import { useEffect, useRef } from 'preact/hooks'
import { keepKey } from '../platform/kept-key.ts'
import type { MadeKey } from '../platform/key-record.ts'
import { platformMessages } from '../platform/messages.ts'
import { hrefTo } from '../routing/href-to.ts'
import { navigate } from '../routing/location.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { dashboardMessages } from './messages.ts'

interface NewSecretProps {
  readonly made: MadeKey
  readonly onDone: () => void
}

/** Shows a secret, this once. The reader can copy it, and let this tab keep it for examples. */
export function NewSecret({ made: { key, record }, onDone }: NewSecretProps) {
  const t = dashboardMessages.current.keys
  const { copied } = platformMessages.current
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    section.current?.focus()
    section.current?.scrollIntoView({ block: 'center' })
  }, [])
  const keep = () => {
    keepKey({ secret: key, id: record.id, name: record.name })
    navigate(hrefTo('/docs/start'))
  }
  return (
    <section class="card stack new-secret" ref={section} tabIndex={-1} aria-label={t.made(record.name)}>
      <h2>{t.made(record.name)}</h2>
      <p>{t.once}</p>
      <code class="new-secret-text">{key}</code>
      <div class="row">
        <CopyButton text={key} label={t.copy} doneLabel={copied} />
        <Button onClick={onDone}>{t.done}</Button>
        <Button kind="main" onClick={keep}>
          {t.tryIt}
        </Button>
      </div>
      <p class="soft">{t.tryItHint}</p>
    </section>
  )
}
