import { offersIn, type Show } from 'marquee-client'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useApp, useFormats, useHref, useMessages, useOwnServices, useViewer } from '../../app/context.ts'
import { Button, CopyButton } from '../../components/button.tsx'
import { SafeLink, safeImageUrl } from '../../components/safe-url.tsx'
import { explorerMessages, layoutMessages } from '../../messages/tables.ts'
import { FeedLinks, useFeeds } from '../components/feed-links.tsx'
import { Poster, useBrokenImage } from '../components/poster.tsx'
import { showYears } from '../components/show-card.tsx'
import { showPath } from '../show-path.ts'
import { externalLinks } from './structured-data.ts'
import { WhereToWatch } from './where-to-watch.tsx'
import './show-head.css'

/** Images, title and facts of a show. */
export function ShowHead({ show }: { show: Show }) {
  const hrefTo = useHref()
  const t = useMessages(explorerMessages).show
  const { country } = useViewer()
  const facts = useShortFacts(show)
  const makers = show.showType === 'movie' ? show.directors : show.creators
  return (
    <header class="show-head">
      <Backdrop show={show} />
      <div class="show-poster">
        <Poster show={show} sizes="(max-width: 46rem) 6rem, 15rem" isDecoration={true} />
      </div>
      <div class="show-title">
        <h1 dir="auto">{show.title}</h1>
        <p class="show-line">
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
          {show.rating > 0 && <Rating rating={show.rating} />}
        </p>
      </div>
      <div class="show-facts">
        <WhereToWatch showId={show.id} offers={offersIn(show, country)} />
        {show.overview !== '' && (
          <p class="show-overview" dir="auto">
            {show.overview}
          </p>
        )}
        <ul class="chips">
          {show.genres.map(({ id, name }) => (
            <li key={id}>
              <a class="chip" href={hrefTo('/browse', { genres: [id] })}>
                {name}
              </a>
            </li>
          ))}
        </ul>
        <dl class="show-people">
          {show.originalTitle !== show.title && <Fact name={t.originalTitle}>{show.originalTitle}</Fact>}
          {makers !== undefined && makers.length > 0 && (
            <Fact name={show.showType === 'movie' ? t.directors : t.creators}>
              <PeopleLinks names={makers} />
            </Fact>
          )}
          {show.cast.length > 0 && (
            <Fact name={t.cast}>
              <PeopleLinks names={show.cast} />
            </Fact>
          )}
        </dl>
        <ShowLinks show={show} />
      </div>
    </header>
  )
}

/** The show at other databases, and its address to share. */
function ShowLinks({ show }: { show: Show }) {
  const { origin } = useApp().catalog
  const { imdb, tmdb } = externalLinks(show)
  const href = useHref()(showPath(show))
  return (
    <div class="row show-links">
      {imdb !== undefined && <SafeLink href={imdb}>IMDb</SafeLink>}
      {tmdb !== undefined && <SafeLink href={tmdb}>TMDB</SafeLink>}
      <FeedLinks feeds={useFeeds({ show: show.id }, ['leaving.ics'])} />
      <ShareButton title={show.title} url={`${origin ?? ''}${href}`} />
    </div>
  )
}

/** Hands the address to the share sheet of the system, or copies it where there is none. */
function ShareButton({ title, url }: { title: string; url: string }) {
  const t = useMessages(explorerMessages).show
  const [canShare, setCanShare] = useState(false)
  // Only the browser knows.
  useEffect(() => setCanShare('share' in navigator), [])
  if (!canShare) return <CopyButton text={url} label={t.copy} doneLabel={t.copied} failedLabel={t.notCopied} />
  // It rejects when the sheet is closed again.
  return <Button onClick={() => void navigator.share({ title, url }).catch(() => {})}>{t.share}</Button>
}

/** Names that lead to the other shows of these people. A comma in a name would be read as two names. */
function PeopleLinks({ names }: { names: readonly string[] }) {
  const hrefTo = useHref()
  // People have made more than what is included for the viewer.
  const ways = useOwnServices().size > 0 ? 'all' : undefined
  return names.map((name, i) => (
    <>
      {i > 0 && ', '}
      <a href={hrefTo('/browse', { people: [name.replaceAll(',', ' ')], ways })}>{name}</a>
    </>
  ))
}

/** Type, years, and length. */
function useShortFacts(show: Show): string[] {
  const t = useMessages(explorerMessages).show
  const { types } = useMessages(layoutMessages).search
  const facts = [types[show.showType], showYears(show)]
  if (show.showType === 'movie') {
    if (show.runtime !== undefined) facts.push(t.minutes(Math.floor(show.runtime / 60), show.runtime % 60))
  } else {
    if (show.seasonCount !== undefined) facts.push(t.seasons(show.seasonCount))
    if (show.episodeCount !== undefined) facts.push(t.episodes(show.episodeCount))
  }
  return facts.filter((fact) => fact !== '')
}

function Rating({ rating }: { rating: number }) {
  const format = useFormats()
  const label = useMessages(explorerMessages).show.rating(rating)
  return (
    <span class="show-rating" title={label}>
      <span class="unseen">{label}</span>
      <span aria-hidden="true">★ {format.number(rating)}</span>
    </span>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}

/** The backdrop. Without one, or if it fails to load, nothing is rendered. */
function Backdrop({ show }: { show: Show }) {
  const { isBroken, ...watched } = useBrokenImage()
  const images = show.imageSet.horizontalBackdrop
  const wide = safeImageUrl(images?.w1440)
  const narrow = safeImageUrl(images?.w720)
  if (wide === undefined || narrow === undefined || isBroken) return null
  return (
    <div class="show-backdrop">
      <img src={wide} srcset={`${narrow} 720w, ${wide} 1440w`} sizes="100vw" alt="" {...watched} />
    </div>
  )
}
