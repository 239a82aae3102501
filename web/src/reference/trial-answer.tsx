import { useState } from 'preact/hooks'
import { formatNumber } from '../i18n/formats.ts'
import { formatMilliseconds } from '../i18n/measures.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { CodeBlock } from './code-block.tsx'
import { JsonText } from './json-text.tsx'
import { referenceMessages } from './messages.ts'
import type { Trial } from './trial.ts'

/** Longer bodies are cut at first: some hold half a megabyte. */
const SHOWN_CHARACTERS = 20_000

/** What the service answered to a request that was tried. */
export function TrialAnswer({ trial }: { trial: Trial }) {
  const t = referenceMessages.current.tryIt
  const [isWhole, setWhole] = useState(false)
  if (trial.kind === 'unreachable') {
    return (
      <Notice kind="warn">
        <p>{t.unreachable}</p>
      </Notice>
    )
  }
  const { status, milliseconds, headers, body } = trial
  const header = (name: string) => headers.find(([one]) => one === name)?.[1]
  const used = header('x-quota-used')
  const granted = header('x-quota-granted')
  const wait = header('retry-after')
  const isCut = body.length > SHOWN_CHARACTERS && !isWhole
  return (
    <div class="stack trial-answer">
      <p class="try-it-facts">
        <Badge kind={status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'}>{status}</Badge>
        <span>{t.answered(formatMilliseconds(milliseconds))}</span>
        {used !== undefined && granted !== undefined && Number(granted) < 1e12 && (
          <span class="soft">{t.quota(formatNumber(Number(used)), formatNumber(Number(granted)))}</span>
        )}
      </p>
      {status === 429 && wait !== undefined && (
        <Notice kind="warn">
          <p>{t.tooFast(Number(wait))}</p>
        </Notice>
      )}
      <CodeBlock label={t.body} text={body} isLong={true}>
        <JsonText text={isCut ? `${body.slice(0, SHOWN_CHARACTERS)}…` : body} />
      </CodeBlock>
      {isCut && (
        <Button kind="quiet" onClick={() => setWhole(true)}>
          {t.showAll(`${formatNumber(Math.ceil(body.length / 1000))} KB`)}
        </Button>
      )}
      <details>
        <summary>{t.headers}</summary>
        <CodeBlock
          label={t.headers}
          text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
          isLong={true}
        />
      </details>
    </div>
  )
}
