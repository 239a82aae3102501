import { offersIn, type Show } from 'marquee-client'
import { viewer } from '../../data/viewer.ts'
import { hrefTo } from '../../routing/href-to.ts'
import { shellMessages } from '../../shell/messages.ts'
import { Poster } from './poster.tsx'
import { ServiceLogos } from './service-logos.tsx'
import { yearsOf } from './years-of.ts'
import './show-card.css'

/** A show among others: its poster, name and year, and who has it. */
export function ShowCard({ show }: { show: Show }) {
  const t = shellMessages.current.search
  return (
    <article class="show-card">
      <a href={hrefTo(`/show/${show.id}`)}>
        <Poster show={show} sizes="(max-width: 30rem) 45vw, 12rem" isDecoration={true} />
        <h3 dir="auto">{show.title}</h3>
      </a>
      <p class="soft">{[yearsOf(show), t.types[show.showType]].filter(Boolean).join(' · ')}</p>
      <ServiceLogos offers={offersIn(show, viewer.value.country)} />
    </article>
  )
}
