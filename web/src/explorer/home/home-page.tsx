import type { ChangeWithShow, Show } from 'marquee-client'
import { marquee } from '../../data/marquee.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { viewer } from '../../data/viewer.ts'
import { useTitle } from '../../shell/use-title.ts'
import { explorerMessages } from '../messages.ts'
import { HomeServices } from './home-services.tsx'
import { HomeShelf } from './home-shelf.tsx'
import { popularQuestion } from './popular-question.ts'
import './home-page.css'

/** How many shows stand on a shelf below the first. */
const PLACES = 6

/** The start page: the services, what is watched most, what is new, and what leaves. */
export default function HomePage() {
  const t = explorerMessages.current.home
  const { country, language } = viewer.value
  const asked = { country, outputLanguage: language }
  useTitle(t.title)
  const first = popularQuestion(viewer.value)
  const popular = useAnswer(first.key, first.ask)
  const arrived = useAnswer(`home new ${country} ${language}`, async (signal) => {
    const wanted = { ...asked, changeType: 'new', itemType: 'show', orderDirection: 'desc' } as const
    return showsOf((await marquee.changes.list(wanted, { signal }).page()).items)
  })
  const leaving = useAnswer(`home leaving ${country} ${language}`, async (signal) => {
    const wanted = { ...asked, changeType: 'expiring', itemType: 'show' } as const
    return showsOf((await marquee.changes.list(wanted, { signal }).page()).items)
  })
  return (
    <div class="home">
      <div class="home-hero">
        <h1>{t.title}</h1>
        <p class="soft">{t.lead}</p>
      </div>
      <HomeServices />
      <HomeShelf title={t.popular} path="/browse" shows={popular} isFirst={true} />
      <HomeShelf title={t.arrived} path="/new" shows={arrived} />
      <HomeShelf title={t.leaving} path="/leaving" shows={leaving} />
    </div>
  )
}

/** The shows that changes are about, each once. */
function showsOf(changes: readonly ChangeWithShow[]): Show[] {
  return [...new Map(changes.map(({ show }) => [show.id, show])).values()].slice(0, PLACES)
}
