import type { ChangeWithShow, Show } from 'marquee-client'
import { marquee } from '../../data/marquee.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { viewer } from '../../data/viewer.ts'
import { explorerMessages } from '../messages.ts'
import { HomeShelf } from './home-shelf.tsx'

/** How many shows stand on a shelf. */
const PLACES = 6

/** What is new, and what leaves. */
export function HomeChanges() {
  const t = explorerMessages.current.home
  const { country, language } = viewer.value
  const asked = { country, outputLanguage: language }
  const arrived = useAnswer(`home new ${country} ${language}`, async (signal) => {
    const wanted = { ...asked, changeType: 'new', itemType: 'show', orderDirection: 'desc' } as const
    return showsOf((await marquee.changes.list(wanted, { signal }).page()).items)
  })
  const leaving = useAnswer(`home leaving ${country} ${language}`, async (signal) => {
    const wanted = { ...asked, changeType: 'expiring', itemType: 'show' } as const
    return showsOf((await marquee.changes.list(wanted, { signal }).page()).items)
  })
  return (
    <>
      <HomeShelf title={t.arrived} path="/new" shows={arrived} />
      <HomeShelf title={t.leaving} path="/leaving" shows={leaving} />
    </>
  )
}

/** The shows that changes are about, each once. */
function showsOf(changes: readonly ChangeWithShow[]): Show[] {
  return [...new Map(changes.map(({ show }) => [show.id, show])).values()].slice(0, PLACES)
}
