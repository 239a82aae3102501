import { marquee } from '../../data/marquee.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { viewer } from '../../data/viewer.ts'
import { regionName } from '../../i18n/formats.ts'
import { hrefTo } from '../../routing/href-to.ts'
import { Failure } from '../../shell/failure.tsx'
import { useTitle } from '../../shell/use-title.ts'
import { explorerMessages } from '../messages.ts'
import { ShowGrid } from '../parts/show-grid.tsx'

/** The start page: what is watched most at the moment. */
export default function HomePage() {
  const t = explorerMessages.current.home
  const { country, language } = viewer.value
  useTitle(t.title)
  const popular = useAnswer(`popular ${country} ${language}`, (signal) =>
    marquee.shows.filter({ country, outputLanguage: language, orderBy: 'popularity_1week' }, { signal }).page(),
  )
  return (
    <div class="stack">
      <h1>{t.title}</h1>
      <p class="soft">{t.lead(regionName(country))}</p>
      <div class="row">
        <h2>{t.popular}</h2>
        <a href={hrefTo('/browse', { order_by: 'popularity_1week' })}>{t.all}</a>
      </div>
      {popular.state === 'failed' ? (
        <Failure error={popular.error} retry={popular.retry} />
      ) : (
        <ShowGrid shows={popular.state === 'ready' ? popular.value.items : undefined} />
      )}
    </div>
  )
}
