import { useEffect, useRef, useState } from 'preact/hooks'
import { DeveloperFrame } from '../platform/developer-frame.tsx'
import type { KeyRecord, MadeKey } from '../platform/key-record.ts'
import { LiveView } from '../platform/live-view.tsx'
import { usePlatform } from '../platform/use-platform.ts'
import { Button } from '../ui/button.tsx'
import { CreateKey } from './create-key.tsx'
import { KeyCard } from './key-card.tsx'
import { dashboardMessages } from './messages.ts'
import { NewSecret } from './new-secret.tsx'
import './keys-page.css'

/** The keys of the account: making, changing, rotating and revoking them. */
export default function KeysPage() {
  const t = dashboardMessages.current.keys
  return (
    <DeveloperFrame title={t.title} lead={t.lead} for="account">
      <Keys />
    </DeveloperFrame>
  )
}

function Keys() {
  const t = dashboardMessages.current.keys
  const live = usePlatform<{ keys: KeyRecord[] }>('/keys')
  const [made, setMade] = useState<MadeKey>()
  const heading = useRef<HTMLHeadingElement>(null)
  const take = (key: MadeKey) => {
    setMade(key)
    live.reload()
  }
  const finish = () => {
    setMade(undefined)
    heading.current?.focus()
  }
  // A key that is revoked leaves the list, and the button that was pressed with it.
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
      {made === undefined ? <CreateKey onMade={take} /> : <NewSecret made={made} onDone={finish} />}
      <h2 ref={heading} tabIndex={-1}>
        {t.list}
      </h2>
      <LiveView of={live}>
        {({ keys }) => <KeyList keys={keys} onMade={take} onChanged={live.reload} onRevoked={revoke} />}
      </LiveView>
    </>
  )
}

interface KeyListProps {
  readonly keys: readonly KeyRecord[]
  readonly onMade: (made: MadeKey) => void
  readonly onChanged: () => void
  readonly onRevoked: () => void
}

/** Good keys, newest first; the revoked ones on demand. */
function KeyList({ keys, ...acts }: KeyListProps) {
  const t = dashboardMessages.current.keys
  const [isAllShown, setAllShown] = useState(false)
  const revoked = keys.filter(({ revokedAt }) => revokedAt !== undefined)
  const good = keys.filter(({ revokedAt }) => revokedAt === undefined)
  const shown = [...good.reverse(), ...(isAllShown ? revoked.reverse() : [])]
  return (
    <>
      {good.length === 0 && <p class="soft">{t.none}</p>}
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
