import { Marquee, offersIn, type Show } from 'marquee-client'
import { useState } from 'preact/hooks'
import { keptKey } from '../platform/kept-key.ts'
import { useSubmit } from '../platform/use-submit.ts'
import { Failure } from '../shell/failure.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { referenceMessages } from './messages.ts'
import type { ExampleShow } from './start-page.tsx'

interface FirstCallProps {
  readonly show: ExampleShow
  readonly country: string
}

/** Sends the example from this page, with the reader's key, and tells what was answered. */
export function FirstCall({ show, country }: FirstCallProps) {
  const t = referenceMessages.current.start
  const kept = keptKey.value
  const submit = useSubmit()
  const [answer, setAnswer] = useState<Show>()
  const run = () =>
    submit.run(async () => {
      if (kept === undefined) return
      setAnswer(undefined)
      setAnswer(await clientWith(kept.secret).shows.get(show.id, { country }))
    })
  return (
    <section class="stack" aria-label={t.here}>
      <h3>{t.here}</h3>
      <p class="soft">{kept === undefined ? t.hereNone : t.hereText}</p>
      <Button kind="main" disabled={kept === undefined} isOff={submit.isBusy} onClick={run}>
        {t.run}
      </Button>
      {submit.error !== undefined && <Failure error={submit.error} retry={run} isForDevelopers={true} />}
      {answer !== undefined && <Offers show={answer} country={country} />}
    </section>
  )
}

function Offers({ show, country }: { show: Show; country: string }) {
  const t = referenceMessages.current.start
  const names = new Set(offersIn(show, country).map(({ service, type }) => `${service.name} (${type})`))
  return (
    <Notice kind="good" isUrgent={true} title={names.size === 0 ? t.nowhere(show.title) : t.offers(show.title)}>
      <ul>
        {[...names].map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </Notice>
  )
}

/** A client as the reader's own program would have it: the key alone lets it in. */
function clientWith(apiKey: string): Marquee {
  const send: typeof fetch = (url, init) => fetch(url, { ...init, credentials: 'omit', referrerPolicy: 'origin' })
  return new Marquee({ baseUrl: '/v4', apiKey, fetch: send, retries: 0 })
}
