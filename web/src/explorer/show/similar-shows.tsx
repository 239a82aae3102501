import type { Show } from 'marquee-client'
import { useMessages, useViewer } from '../../app/context.ts'
import { Skeleton } from '../../components/feedback.tsx'
import { similarShowsQuery } from '../../data/queries.ts'
import { useQuery } from '../../data/use-query.ts'
import { explorerMessages } from '../../messages/tables.ts'
import { ShowGrid } from '../components/show-card.tsx'

/** A row of shows that resemble the show. Nothing where there are none, or they cannot be fetched. */
export function SimilarShows({ show }: { show: Show }) {
  const t = useMessages(explorerMessages).show
  const result = useQuery(similarShowsQuery(useViewer(), show.id))
  if (result.state === 'failed' || (result.state === 'ready' && result.value.length === 0)) return null
  return (
    <section id="similar">
      <h2>{t.similar}</h2>
      {result.state === 'ready' ? <ShowGrid shows={result.value} /> : <Skeleton height="20rem" />}
    </section>
  )
}
