import type { StreamingOption } from 'marquee-client'
import { useFormats, useMessages, useOwnServices, useViewer } from '../../app/context.ts'
import { Badge, Notice } from '../../components/feedback.tsx'
import { SafeLink } from '../../components/safe-url.tsx'
import type { FeedLink } from '../../layout/page-head.ts'
import { explorerMessages } from '../../messages/tables.ts'
import { useFeeds } from '../components/feed-links.tsx'
import { ServiceLogo, ServiceMark } from '../components/service-logo.tsx'
import { TrackList } from './track-list.tsx'
import { bestWay, type Way, waysToWatch } from './ways-to-watch.ts'
import './where-to-watch.css'

/** The answer of the page: the best way to watch as a button, all ways in rows, languages on demand. */
export function WhereToWatch({ showId, offers }: { showId: string; offers: readonly StreamingOption[] }) {
  const { country } = useViewer()
  const format = useFormats()
  const t = useMessages(explorerMessages).show
  const own = useOwnServices()
  const ways = waysToWatch(offers, own)
  const best = bestWay(ways, own)
  const [{ href: follow }] = useFeeds({ show: showId }, []) as [FeedLink]
  return (
    <section class="where" aria-labelledby="where">
      <h2 id="where" class="unseen">
        {t.where}
      </h2>
      {best === undefined ? (
        <Notice title={t.nowhere(format.regionName(country))}>
          <p>
            <a href="#countries">{t.elsewhere}</a>
          </p>
        </Notice>
      ) : (
        <BestWay {...best} />
      )}
      {/* Above the list of ways, which may be long: so they are seen on a phone, too. */}
      <p class="where-more">
        {best !== undefined && <a href="#countries">{t.countries}</a>}
        <a href={follow} type="application/atom+xml">
          {best === undefined ? t.tellMe : t.follow}
        </a>
      </p>
      {ways.length > 0 && (
        <>
          <ul class="ways">
            {ways.map((way) => (
              <li key={way.key} class="way">
                <WayRow way={way} />
              </li>
            ))}
          </ul>
          <TrackList ways={ways} />
        </>
      )}
    </section>
  )
}

/** The best way as a button: logo, type, quality and price. */
function BestWay({ way, offer }: { way: Way; offer: StreamingOption }) {
  const format = useFormats()
  const t = useMessages(explorerMessages)
  const { service, addon } = way
  const facts = [
    way.isIncluded && offer.type !== 'free' ? t.show.included : t.types[offer.type],
    addon && t.show.through(addon.name),
    offer.quality?.toUpperCase(),
  ]
  return (
    <SafeLink class="best-way" href={offer.videoLink ?? offer.link}>
      <span class="best-way-logo" aria-hidden="true">
        <ServiceLogo service={service} />
      </span>
      <span class="best-way-text">
        <span class="best-way-open">{t.show.open(service.name)}</span>
        <span class="best-way-facts">{facts.filter(Boolean).join(' · ')}</span>
      </span>
      {offer.price !== undefined && <span class="best-way-price">{format.price(offer.price)}</span>}
    </SafeLink>
  )
}

/** A service, how it offers the show, and a link for each quality. */
function WayRow({ way }: { way: Way }) {
  const t = useMessages(explorerMessages)
  const { service, addon, type, offers } = way
  return (
    <>
      <span class="way-mark" aria-hidden="true">
        <ServiceMark service={service} />
      </span>
      <span class="way-text">
        <span class="way-service">{service.name}</span>
        <span class="way-type">
          {addon === undefined ? t.types[type] : t.show.through(addon.name)}
          {way.isIncluded && type !== 'free' && <Badge kind="good">{t.show.included}</Badge>}
          {way.isCheapest && <Badge kind="good">{t.show.cheapest}</Badge>}
          <ExpiryBadge offer={offers.find(({ expiresSoon }) => expiresSoon) ?? offers[0]} />
        </span>
      </span>
      <ul class="way-offers">
        {offers.map((offer, place) => (
          <li key={`${place} ${offer.link}`} class="offer">
            <OfferLink offer={offer} />
          </li>
        ))}
      </ul>
    </>
  )
}

function OfferLink({ offer }: { offer: StreamingOption }) {
  const format = useFormats()
  const t = useMessages(explorerMessages).show
  const { service, quality, price } = offer
  const isPriced = offer.type === 'rent' || offer.type === 'buy'
  return (
    <SafeLink class="offer-link" href={offer.videoLink ?? offer.link}>
      <span class="unseen">{t.open(service.name)} </span>
      {quality !== undefined && <span>{quality.toUpperCase()}</span>}
      {price !== undefined && <span class="offer-price">{format.price(price)}</span>}
      {isPriced && price === undefined && <span title={t.perPart}>{t.perPartShort}</span>}
      {quality === undefined && price === undefined && !isPriced && <span aria-hidden="true">↗</span>}
    </SafeLink>
  )
}

/** A badge for an offer that expires soon, with the day if it is known. */
export function ExpiryBadge({ offer }: { offer: Pick<StreamingOption, 'expiresSoon' | 'expiresOn'> }) {
  const format = useFormats()
  const t = useMessages(explorerMessages).show
  if (!offer.expiresSoon) return null
  return (
    <Badge kind="warn">{offer.expiresOn === undefined ? t.leavesSoon : t.leaves(format.day(offer.expiresOn))}</Badge>
  )
}
