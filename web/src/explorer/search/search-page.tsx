import { marquee } from '../../data/marquee.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { viewer } from '../../data/viewer.ts'
import { hrefTo } from '../../routing/href-to.ts'
import { location } from '../../routing/location.ts'
import { Failure } from '../../shell/failure.tsx'
import { shellMessages } from '../../shell/messages.ts'
import { useTitle } from '../../shell/use-title.ts'
import { Notice } from '../../ui/notice.tsx'
import { explorerMessages } from '../messages.ts'
import { ShowGrid } from '../parts/show-grid.tsx'

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
