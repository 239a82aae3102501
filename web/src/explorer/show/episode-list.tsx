import { type Episode, offersIn, type Season, type StreamingOption } from 'marquee-client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useFormats, useHref, useLocation, useMessages, useViewer } from '../../app/context.ts'
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
        <SeasonEpisodes key={`${number} ${season.title}`} season={season} number={number + 1} />
      ))}
    </section>
  )
}

/** The name of the unfolded season in the URL. */
const SEASON_NAME = 'season'

/** A season, whose episodes are rendered once it is unfolded: there may be hundreds. Without a script a link does that. */
function SeasonEpisodes({ season, number }: { season: Season; number: number }) {
  const t = useMessages(explorerMessages).show
  const hrefTo = useHref()
  const { path, query } = useLocation()
  const [isOpen, setOpen] = useState(query.get(SEASON_NAME) === String(number))
  // It may have been unfolded before the script was there.
  const details = useRef<HTMLDetailsElement>(null)
  useEffect(() => setOpen(details.current?.open === true), [])
  const episodes = season.episodes ?? []
  const id = `season-${number}`
  return (
    <details
      ref={details}
      class="season"
      id={id}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <span class="season-title" dir="auto">
          {season.title}
        </span>
        <span class="soft">
          {season.firstAirYear} · {t.episodes(episodes.length)}
        </span>
      </summary>
      {isOpen ? (
        <ol>
          {episodes.map((episode, place) => (
            <li key={`${place} ${episode.title}`} class="episode">
              <EpisodeRow episode={episode} number={place + 1} />
            </li>
          ))}
        </ol>
      ) : (
        <p>
          <a href={`${hrefTo(path, { [SEASON_NAME]: number })}#${id}`}>{t.episodes(episodes.length)}</a>
        </p>
      )}
    </details>
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
