import { useState } from 'preact/hooks'
import { useFormats, useMessages } from '../app/context.ts'
import { Button } from '../components/button.tsx'
import { Badge, Notice } from '../components/feedback.tsx'
import { referenceMessages } from '../messages/tables.ts'
import { CodeBlock, JsonText } from './code-block.tsx'

/** Longer bodies are cut at first: some hold half a megabyte. */
const SHOWN_CHARACTERS = 20_000

/** What the service answered to a request that was tried. */
export function TrialResponse({ trial }: { trial: Trial }) {
  const format = useFormats()
  const t = useMessages(referenceMessages).tryIt
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
        <span>{t.answered(format.milliseconds(milliseconds))}</span>
        {used !== undefined && granted !== undefined && Number(granted) < 1e12 && (
          <span class="soft">{t.quota(format.number(Number(used)), format.number(Number(granted)))}</span>
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
          {t.showAll(`${format.number(Math.ceil(body.length / 1000))} KB`)}
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

/** What came of a request that the reader tried. */
export type Trial =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly milliseconds: number
      readonly headers: readonly (readonly [string, string])[]
      /** The body, indented if it is JSON. */
      readonly body: string
    }
  | { readonly kind: 'unreachable' }

/** Sends a request with a key, and nothing else that could let it in: neither session nor pass. */
export async function sendTrial(url: string, key: string): Promise<Trial> {
  const start = performance.now()
  try {
    const response = await fetch(url, {
      headers: { 'X-API-Key': key },
      credentials: 'omit',
      cache: 'no-store',
      // Keys can be limited to origins. The page keeps its address to itself, but its origin has to be said for those.
      referrerPolicy: 'origin',
    })
    const text = await response.text()
    const milliseconds = performance.now() - start
    return { kind: 'answer', status: response.status, milliseconds, headers: [...response.headers], body: pretty(text) }
  } catch {
    return { kind: 'unreachable' }
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
