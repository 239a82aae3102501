import { hrefTo, viewer } from '../app/viewer.ts'
import { Notice } from '../components/feedback.tsx'
import { marquee } from '../data/client.ts'
import { useAnswer } from '../data/use-query.ts'
import { Failure } from '../layout/failure.tsx'
import { useTitle } from '../layout/page-title.ts'
import { explorerMessages, shellMessages } from '../messages/tables.ts'
import { location } from '../routing/router.ts'
import { ShowGrid } from './components/show-card.tsx'

/** All shows whose titles are like what was searched for. */
export default function SearchPage() {
  const t = explorerMessages.current.search
  const { country, language } = viewer.value
  const title = location.value.query.get('title')?.trim() ?? ''
  const heading = title === '' ? t.ask : t.title(title)
  useTitle(heading)
  const found = useAnswer(title === '' ? undefined : `title ${country} ${language} ${title}`, (signal) =>
    marquee.shows.search({ title, country, outputLanguage: language }, { signal }),
  )
  const isEmpty = found.state === 'ready' && found.value.length === 0
  return (
    <div class="stack">
      <h1>{heading}</h1>
      {found.state === 'failed' && <Failure error={found.error} retry={found.retry} />}
      <div role="status">
        {found.state === 'ready' && !isEmpty && (
          <p class="unseen">{shellMessages.current.search.found(found.value.length)}</p>
        )}
        {isEmpty && (
          <Notice title={t.none}>
            <p>
              {t.help} <a href={hrefTo('/browse', { keyword: title })}>{t.byKeyword(title)}</a>
            </p>
          </Notice>
        )}
      </div>
      {title !== '' && found.state !== 'failed' && !isEmpty && (
        <>
          <h2 class="unseen">{shellMessages.current.search.results}</h2>
          <ShowGrid shows={found.state === 'ready' ? found.value : undefined} />
        </>
      )}
    </div>
  )
}
