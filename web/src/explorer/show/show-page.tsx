import { offersIn, type Show } from 'marquee-client'
import { useAnswer } from '../../data/use-answer.ts'
import { viewer } from '../../data/viewer.ts'
import type { PageProps } from '../../routes.ts'
import { Failure } from '../../shell/failure.tsx'
import { useTitle } from '../../shell/use-title.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CountryTable } from './country-table.tsx'
import { EpisodeList } from './episode-list.tsx'
import { SeasonGrid } from './season-grid.tsx'
import { ShowHead } from './show-head.tsx'
import { showQuestion } from './show-question.ts'
import { WhereToWatch } from './where-to-watch.tsx'
import './show-page.css'

/** All about one show, by any of its ids. */
export default function ShowPage({ rest: id }: PageProps) {
  const { key, ask } = showQuestion(viewer.value, id)
  const answer = useAnswer(key, ask)
  useTitle(answer.state === 'ready' ? answer.value.title : undefined)
  if (answer.state === 'failed') return <Failure error={answer.error} retry={answer.retry} />
  if (answer.state === 'loading') return <ShowSkeleton />
  return <ShowContent show={answer.value} />
}

function ShowContent({ show }: { show: Show }) {
  const seasons = show.showType === 'series' ? (show.seasons ?? []) : []
  return (
    <article class="show">
      <ShowHead show={show} />
      <WhereToWatch offers={offersIn(show, viewer.value.country)} />
      {seasons.length > 0 && <SeasonGrid seasons={seasons} />}
      {seasons.length > 0 && <EpisodeList seasons={seasons} />}
      <CountryTable show={show} />
    </article>
  )
}

function ShowSkeleton() {
  return (
    <div class="show" role="status">
      <div class="show-head">
        <div class="show-poster">
          <Skeleton height="100%" />
        </div>
        <div class="show-facts">
          <Skeleton width="60%" height="2.5rem" />
          <Skeleton width="40%" />
          <Skeleton height="6rem" />
        </div>
      </div>
      <Skeleton height="12rem" />
    </div>
  )
}
