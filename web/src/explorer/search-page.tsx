import { useHref, useLocation, useMessages, useViewer } from '../app/context.ts'
import { Notice } from '../components/feedback.tsx'
import { titleQuery } from '../data/queries.ts'
import { useQuery } from '../data/use-query.ts'
import { Failure } from '../layout/failure.tsx'
import { useTitle } from '../layout/page-head.ts'
import { explorerMessages, layoutMessages } from '../messages/tables.ts'
import { ShowGrid } from './components/show-card.tsx'
import { GenreLinks, PopularShelf, ServiceLinks } from './components/starting-points.tsx'
import './search-page.css'

/** All results of a title search. Without a title, and without results, it shows where to start instead. */
export default function SearchPage() {
  const hrefTo = useHref()
  const layoutText = useMessages(layoutMessages)
  const t = useMessages(explorerMessages).search
  const { country, language } = useViewer()
  const title = useLocation().query.get('title')?.trim() ?? ''
  const heading = title === '' ? layoutText.search.label : t.title(title)
  useTitle(heading)
  const found = useQuery(title === '' ? undefined : titleQuery({ country, language }, title))
  const isEmpty = found.state === 'ready' && found.value.length === 0
  return (
    <div class="stack search-page">
      <h1>{heading}</h1>
      {title === '' && <p class="soft">{t.ask}</p>}
      {found.state === 'failed' && <Failure error={found.error} retry={found.retry} />}
      <div role="status">
        {found.state === 'ready' && !isEmpty && <p class="unseen">{layoutText.search.found(found.value.length)}</p>}
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
          <h2 class="unseen">{layoutText.search.results}</h2>
          <ShowGrid shows={found.state === 'ready' ? found.value : undefined} />
        </>
      )}
      {(title === '' || isEmpty) && (
        <>
          <ServiceLinks />
          <GenreLinks />
          <PopularShelf />
        </>
      )}
    </div>
  )
}
