import { useState } from 'preact/hooks'
import { marquee } from '../data/marquee.ts'
import { useAnswer } from '../data/use-answer.ts'
import { viewer } from '../data/viewer.ts'
import { regionName } from '../i18n/formats.ts'
import { DeveloperFrame } from '../platform/developer-frame.tsx'
import { keptKey } from '../platform/kept-key.ts'
import { hrefTo } from '../routing/href-to.ts'
import { Failure } from '../shell/failure.tsx'
import { Segments } from '../ui/segments.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { CodeBlock } from './code-block.tsx'
import { FirstCall } from './first-call.tsx'
import { KeyStep } from './key-step.tsx'
import { referenceMessages } from './messages.ts'
import { SNIPPET_LANGUAGES, type SnippetLanguage, snippetOf } from './snippets.ts'
import './start-page.css'

/** What the example asks about. */
export interface ExampleShow {
  readonly id: string
  readonly title: string
}

/** The first minute: a key, a request, and where to go from there. */
export default function StartPage() {
  const t = referenceMessages.current.start
  const { country, language } = viewer.value
  // A show that this catalog has for certain: what is watched most.
  const popular = useAnswer(`example ${country} ${language}`, (signal) =>
    marquee.shows
      .filter({ country, outputLanguage: language, orderBy: 'popularity_1week', showType: 'movie' }, { signal })
      .page(),
  )
  return (
    <DeveloperFrame title={t.title} lead={t.lead}>
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
          </ul>
        </li>
      </ol>
    </DeveloperFrame>
  )
}

/** Where a country has no movie at all, any id shows how it is done. */
const FALLBACK: ExampleShow = { id: 'tt0068646', title: 'The Godfather' }

function Ask({ show }: { show: ExampleShow }) {
  const t = referenceMessages.current.start
  const { country } = viewer.value
  const [language, setLanguage] = useState<SnippetLanguage>('curl')
  const key = keptKey.value?.secret ?? t.placeholder
  const { shell, program } = snippetOf(language, {
    base: `${window.location.origin}/v4`,
    key,
    showId: show.id,
    country,
  })
  return (
    <>
      <p>{t.askLead(show.title, regionName(country))}</p>
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

/** A text in which one part stands out. */
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
