import { useEffect, useState } from 'preact/hooks'
import { useAnswer } from '../../data/use-answer.ts'
import { viewer } from '../../data/viewer.ts'
import { useTitle } from '../../shell/use-title.ts'
import { explorerMessages } from '../messages.ts'
import { HomeChanges } from './home-changes.tsx'
import { HomeServices } from './home-services.tsx'
import { HomeShelf } from './home-shelf.tsx'
import { popularQuestion } from './popular-question.ts'
import './home-page.css'

/** How many shows stand in a row where there is much room. */
const ROW = 6

/** The start page: the services, what is watched most, what is new, and what leaves. */
export default function HomePage() {
  const t = explorerMessages.current.home
  useTitle(t.title)
  const { key, ask } = popularQuestion(viewer.value)
  const popular = useAnswer(key, ask)
  // The first row is drawn alone, and all that is below it right after: on a slow phone that is felt.
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => setDrawn(true), [])
  return (
    <div class="home">
      <div class="home-hero">
        <h1>{t.title}</h1>
        <p class="soft">{t.lead}</p>
      </div>
      <HomeServices />
      <HomeShelf title={t.popular} path="/browse" shows={popular} isFirst={true} {...(!isDrawn && { most: ROW })} />
      {isDrawn && <HomeChanges />}
    </div>
  )
}
