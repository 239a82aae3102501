import { Marquee, offersIn, type Show } from 'marquee-client'
import { useState } from 'preact/hooks'
import { useFormats, useHref, useMessages, useViewer } from '../app/context.ts'
import { Button } from '../components/button.tsx'
import { Segments } from '../components/choice.tsx'
import { Notice, Skeleton } from '../components/feedback.tsx'
import { useQuery } from '../data/use-query.ts'
import { Failure } from '../layout/failure.tsx'
import { referenceMessages } from '../messages/tables.ts'
import { DeveloperLayout } from '../platform/developer-layout.tsx'
import { useSubmit } from '../platform/submit.tsx'
import { CodeBlock } from './code-block.tsx'
import { KeyStep } from './key-entry.tsx'
import { codeSnippet, SNIPPET_LANGUAGES, type SnippetLanguage } from './snippets.ts'
import './start-page.css'
import { useSession } from '../platform/session.ts'

/** The show of the example request. */
interface ExampleShow {
  readonly id: string
  readonly title: string
}

/** Getting started: a key, a request, and next steps. */
export default function StartPage() {
  const hrefTo = useHref()
  const t = useMessages(referenceMessages).start
  const { country, language } = useViewer()
  // The most popular movie certainly exists in this catalog.
  const popular = useQuery({
    key: `example ${country} ${language}`,
    fetch: (signal, client) =>
      client.shows
        .filter({ country, outputLanguage: language, orderBy: 'popularity_1week', showType: 'movie' }, { signal })
        .page(),
  })
  return (
    <DeveloperLayout title={t.title} lead={t.lead}>
      <ol class="steps">
        <li class="stack">
          <h2>{t.key}</h2>
          <KeyStep />
        </li>
        <li class="stack">
          <h2>{t.ask}</h2>
          {popular.state === 'loading' && <Skeleton height="14rem" />}
          {popular.state === 'failed' && <Failure error={popular.error} retry={popular.retry} isForDevelopers={true} />}
          {popular.state === 'ready' && <Ask show={popular.value.items[0] ?? FALLBACK} />}
        </li>
        <li class="stack">
          <h2>{t.next}</h2>
          <ul class="plain-links">
            <li>
              <a href={hrefTo('/dashboard')}>{t.nextUsage}</a>
            </li>
            <li>
              <a href={hrefTo('/docs')}>{t.nextReference}</a>
            </li>
            <li>
              <a href={hrefTo('/docs/guides/using-the-api')}>{t.nextGuides}</a>
            </li>
          </ul>
        </li>
      </ol>
    </DeveloperLayout>
  )
}

/** The example for a country without movies. */
const FALLBACK: ExampleShow = { id: 'tt0068646', title: 'The Godfather' }

function Ask({ show }: { show: ExampleShow }) {
  const { storedKey } = useSession()
  const format = useFormats()
  const t = useMessages(referenceMessages).start
  const { country } = useViewer()
  const [language, setLanguage] = useState<SnippetLanguage>('curl')
  const key = storedKey.value?.secret ?? t.placeholder
  const { shell, program } = codeSnippet(language, {
    base: `${window.location.origin}/v4`,
    key,
    showId: show.id,
    country,
  })
  return (
    <>
      <p>{t.askLead(show.title, format.regionName(country))}</p>
      <Segments
        label={t.language}
        options={SNIPPET_LANGUAGES.map((one) => [one, one] as const)}
        value={language}
        onChange={setLanguage}
      />
      {language === 'TypeScript' && <p class="soft">{t.tsNote}</p>}
      {language === 'Go' && <p class="soft">{t.goNote}</p>}
      <CodeBlock label={t.shell} text={shell}>
        <Marked text={shell} part={key} />
      </CodeBlock>
      {program !== undefined && (
        <>
          <CodeBlock label={t.program(program.file)} text={program.text} />
          <CodeBlock label={t.run} text={program.run} />
        </>
      )}
      <FirstCall show={show} country={country} />
    </>
  )
}

/** A text with one part highlighted. */
function Marked({ text, part }: { text: string; part: string }) {
  const at = text.indexOf(part)
  if (at < 0) return <>{text}</>
  return (
    <>
      {text.slice(0, at)}
      <mark>{part}</mark>
      {text.slice(at + part.length)}
    </>
  )
}

interface FirstCallProps {
  readonly show: ExampleShow
  readonly country: string
}

/** Sends the example request from this page with the user's key. */
function FirstCall({ show, country }: FirstCallProps) {
  const { storedKey } = useSession()
  const t = useMessages(referenceMessages).start
  const stored = storedKey.value
  const submit = useSubmit()
  const [result, setResult] = useState<Show>()
  const run = () =>
    submit.run(async () => {
      if (stored === undefined) return
      setResult(undefined)
      setResult(await clientWith(stored.secret).shows.get(show.id, { country }))
    })
  return (
    <section class="stack" aria-label={t.here}>
      <h3>{t.here}</h3>
      <p class="soft">{stored === undefined ? t.hereNone : t.hereText}</p>
      <Button kind="main" disabled={stored === undefined} isOff={submit.isBusy} onClick={run}>
        {t.run}
      </Button>
      {submit.error !== undefined && <Failure error={submit.error} retry={run} isForDevelopers={true} />}
      {result !== undefined && <Offers show={result} country={country} />}
    </section>
  )
}

function Offers({ show, country }: { show: Show; country: string }) {
  const t = useMessages(referenceMessages).start
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

/** A client like that of a program: only the key gives access. */
function clientWith(apiKey: string): Marquee {
  const send: typeof fetch = (url, init) => fetch(url, { ...init, credentials: 'omit', referrerPolicy: 'origin' })
  return new Marquee({ baseUrl: '/v4', apiKey, fetch: send, retries: 0 })
}
