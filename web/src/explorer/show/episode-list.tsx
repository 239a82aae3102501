import { type Episode, offersIn, type Season, type StreamingOption } from 'marquee-client'
import { useFormats, useMessages, useViewer } from '../../app/context.ts'
import { SafeLink } from '../../components/safe-url.tsx'
import { explorerMessages } from '../../messages/tables.ts'
import { ServiceMark } from '../components/service-logo.tsx'
import { ExpiryBadge } from './where-to-watch.tsx'
import './episode-list.css'

/** Collapsible seasons with the offers of every episode. */
export function EpisodeList({ seasons }: { seasons: readonly Season[] }) {
  const t = useMessages(explorerMessages).show
  return (
    <section aria-labelledby="episodes">
      <h2 id="episodes">{t.episodesTitle}</h2>
      {seasons.map((season, number) => (
        <details key={`${number} ${season.title}`} class="season">
          <summary>
            <span class="season-title" dir="auto">
              {season.title}
            </span>
            <span class="soft">
              {season.firstAirYear} · {t.episodes(season.episodes?.length ?? 0)}
            </span>
          </summary>
          <ol>
            {(season.episodes ?? []).map((episode, place) => (
              <li key={`${place} ${episode.title}`} class="episode">
                <EpisodeRow episode={episode} number={place + 1} />
              </li>
            ))}
          </ol>
        </details>
      ))}
    </section>
  )
}

function EpisodeRow({ episode, number }: { episode: Episode; number: number }) {
  const t = useMessages(explorerMessages).show
  const offers = offersIn(episode, useViewer().country)
  return (
    <>
      <span class="episode-number" aria-hidden="true">
        {number}
      </span>
      <div class="episode-text">
        <h3 dir="auto">{episode.title}</h3>
        {episode.overview !== undefined && episode.overview !== '' && (
          <p class="soft" dir="auto">
            {episode.overview}
          </p>
        )}
        {offers.length === 0 ? (
          <p class="soft">{t.notThere}</p>
        ) : (
          <ul class="row">
            {offers.map((offer, place) => (
              <li key={`${place} ${offer.link}`}>
                <EpisodeOffer offer={offer} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

function EpisodeOffer({ offer }: { offer: StreamingOption }) {
  const format = useFormats()
  const t = useMessages(explorerMessages)
  return (
    <span class="episode-offer">
      <SafeLink href={offer.videoLink ?? offer.link}>
        <ServiceMark service={offer.service} />
        <span>{offer.price === undefined ? t.types[offer.type] : format.price(offer.price)}</span>
      </SafeLink>
      <ExpiryBadge offer={offer} />
    </span>
  )
}
