import type { Locale, StreamingOption, StreamingOptionType } from 'marquee-client'
import { useFormats, useMessages, useViewer } from '../../app/context.ts'
import { Badge, Notice } from '../../components/feedback.tsx'
import { SafeLink } from '../../components/safe-url.tsx'
import { explorerMessages } from '../../messages/tables.ts'
import { ServiceLogo, safeColor } from '../components/service-logo.tsx'
import './where-to-watch.css'

/** The order of the groups: without extra costs first. */
const GROUPS: readonly StreamingOptionType[] = ['subscription', 'free', 'addon', 'rent', 'buy']

/** All offers in the viewer's country, grouped by type. */
export function WhereToWatch({ offers }: { offers: readonly StreamingOption[] }) {
  const { country } = useViewer()
  const format = useFormats()
  const t = useMessages(explorerMessages).show
  const groups = GROUPS.map((type) => ({ type, group: offers.filter((offer) => offer.type === type) }))
  return (
    <section aria-labelledby="where">
      <h2 id="where">{t.where}</h2>
      {offers.length === 0 && (
        <Notice title={t.nowhere(format.regionName(country))}>
          <p>{t.elsewhere}</p>
        </Notice>
      )}
      <div class="where">
        {groups
          .filter(({ group }) => group.length > 0)
          .map(({ type, group }) => (
            <div key={type} class="where-group">
              <h3>{t.groups[type]}</h3>
              <ul>
                {group.map((offer, place) => (
                  <li key={`${place} ${offer.link}`}>
                    <OfferCard offer={offer} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
      </div>
    </section>
  )
}

/** An offer: service, price, quality, languages, expiry and link. */
function OfferCard({ offer }: { offer: StreamingOption }) {
  const format = useFormats()
  const t = useMessages(explorerMessages).show
  const { service, addon, price, quality, link, videoLink, audios, subtitles } = offer
  const localeName = useLocaleName()
  const isPriced = offer.type === 'rent' || offer.type === 'buy'
  return (
    <div class="offer">
      <svg class="offer-mark" aria-hidden="true">
        <rect width="100%" height="100%" fill={safeColor((addon ?? service).themeColorCode)} />
      </svg>
      <div class="offer-top">
        <ServiceLogo service={service} />
        {price !== undefined && <span class="offer-price">{format.price(price)}</span>}
      </div>
      {(addon !== undefined || quality !== undefined || offer.expiresSoon || (isPriced && price === undefined)) && (
        <div class="row">
          {addon !== undefined && <Badge kind="accent">{t.through(addon.name)}</Badge>}
          {quality !== undefined && <Badge>{quality.toUpperCase()}</Badge>}
          {isPriced && price === undefined && <span class="soft">{t.perPart}</span>}
          <ExpiryBadge offer={offer} />
        </div>
      )}
      <dl class="offer-tracks">
        <dt>{t.audio}</dt>
        <dd>
          <Tracks names={audios.map(localeName)} />
        </dd>
        <dt>{t.subtitles}</dt>
        <dd>
          <Tracks
            names={subtitles.map(({ closedCaptions, locale }) =>
              closedCaptions ? `${localeName(locale)} (${t.captions})` : localeName(locale),
            )}
          />
        </dd>
      </dl>
      <SafeLink class="offer-open" href={videoLink ?? link}>
        {t.open(service.name)}
      </SafeLink>
    </div>
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

/** Longer lists of languages are folded. */
const MAX_TRACKS = 4

/** Languages of audio or subtitles: the first few, and all of them on demand. */
function Tracks({ names }: { names: readonly string[] }) {
  const format = useFormats()
  const t = useMessages(explorerMessages).show
  if (names.length === 0) return <span class="soft">{t.none}</span>
  if (names.length <= MAX_TRACKS + 1) return <>{format.list(names)}</>
  return (
    <details class="tracks-more">
      <summary>
        <span class="tracks-first">
          {names.slice(0, MAX_TRACKS).join(', ')} {t.more(names.length - MAX_TRACKS)}
        </span>
      </summary>
      {format.list(names)}
    </details>
  )
}

/** Alpha-2 codes of regions, which browsers need: the catalog has alpha-3 codes. These are the regions of common dubs. */
const ALPHA_2: Readonly<Record<string, string>> = {
  ...{ ARG: 'AR', AUS: 'AU', BEL: 'BE', BRA: 'BR', CAN: 'CA', CHE: 'CH', CHN: 'CN', COL: 'CO', DEU: 'DE', ESP: 'ES' },
  ...{ FRA: 'FR', GBR: 'GB', HKG: 'HK', IND: 'IN', ITA: 'IT', MEX: 'MX', NLD: 'NL', PRT: 'PT', TWN: 'TW', USA: 'US' },
}

/** Names a language, with its region if it has one: `Spanish (Latin America)`. */
function useLocaleName(): (locale: Locale) => string {
  const format = useFormats()
  return ({ language, region }) => {
    const name = format.languageName(language)
    return region === undefined ? name : `${name} (${format.regionName(ALPHA_2[region] ?? region)})`
  }
}
