import { useState } from 'preact/hooks'
import { useFormats, useMessages } from '../app/context.ts'
import { Button } from '../components/button.tsx'
import { Badge, Notice } from '../components/feedback.tsx'
import { referenceMessages } from '../messages/tables.ts'
import { CodeBlock, JsonText } from './code-block.tsx'

/** Longer bodies are truncated at first: some have half a megabyte. */
const MAX_SHOWN_CHARACTERS = 20_000

/** The response to a trial request. */
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
  const isTruncated = body.length > MAX_SHOWN_CHARACTERS && !isWhole
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
        <JsonText text={isTruncated ? `${body.slice(0, MAX_SHOWN_CHARACTERS)}…` : body} />
      </CodeBlock>
      {isTruncated && (
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

/** The result of a trial request. */
export type Trial =
  | {
      readonly kind: 'response'
      readonly status: number
      readonly milliseconds: number
      readonly headers: readonly (readonly [string, string])[]
      /** The body, indented if it is JSON. */
      readonly body: string
    }
  | { readonly kind: 'unreachable' }

/** Sends a request with a key only: without the cookies of session and visitor token. */
export async function sendTrial(url: string, key: string): Promise<Trial> {
  const start = performance.now()
  try {
    const response = await fetch(url, {
      // Errors then say all that there is to say of them.
      headers: { 'X-API-Key': key, Accept: 'application/json, application/problem+json' },
      credentials: 'omit',
      cache: 'no-store',
      // A key may be limited to origins, so the request must name the origin.
      referrerPolicy: 'origin',
    })
    const text = await response.text()
    const milliseconds = performance.now() - start
    return {
      kind: 'response',
      status: response.status,
      milliseconds,
      headers: [...response.headers],
      body: pretty(text),
    }
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
