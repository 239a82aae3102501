import type { Locale, StreamingOption } from 'marquee-client'
import { useFormats, useMessages } from '../../app/context.ts'
import { explorerMessages } from '../../messages/tables.ts'
import type { Way } from './ways-to-watch.ts'

/** Languages of audio and subtitles of all ways, on demand: they are long and differ by offer. */
export function TrackList({ ways }: { ways: readonly Way[] }) {
  const t = useMessages(explorerMessages)
  const offers = ways.flatMap((way) => way.offers.map((offer, place) => ({ key: `${way.key} ${place}`, offer })))
  if (offers.every(({ offer: { audios, subtitles } }) => audios.length + subtitles.length === 0)) return null
  return (
    <details class="tracks">
      <summary>{t.show.languages}</summary>
      <ul>
        {offers.map(({ key, offer }) => (
          <li key={key}>
            <p class="tracks-offer">
              {[offer.service.name, t.types[offer.type], offer.quality?.toUpperCase()].filter(Boolean).join(' · ')}
            </p>
            <Tracks offer={offer} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function Tracks({ offer: { audios, subtitles } }: { offer: StreamingOption }) {
  const format = useFormats()
  const t = useMessages(explorerMessages).show
  const localeName = useLocaleName()
  const rows = [
    { name: t.audio, tracks: audios.map(localeName) },
    {
      name: t.subtitles,
      tracks: subtitles.map(({ closedCaptions, locale }) =>
        closedCaptions ? `${localeName(locale)} (${t.captions})` : localeName(locale),
      ),
    },
  ]
  return (
    <dl>
      {rows.map(({ name, tracks }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{tracks.length === 0 ? <span class="soft">{t.none}</span> : format.list(tracks)}</dd>
        </div>
      ))}
    </dl>
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
