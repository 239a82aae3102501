import type { StreamingOption, StreamingOptionType } from 'marquee-client'
import { viewer } from '../../data/viewer.ts'
import { regionName } from '../../i18n/formats.ts'
import { Notice } from '../../ui/notice.tsx'
import { explorerMessages } from '../messages.ts'
import { OfferCard } from './offer-card.tsx'
import './where-to-watch.css'

/** The order in which ways to watch are told: what costs nothing more first. */
const GROUPS: readonly StreamingOptionType[] = ['subscription', 'free', 'addon', 'rent', 'buy']

/** Every way to watch a show in the viewer's country, grouped by its kind. */
export function WhereToWatch({ offers }: { offers: readonly StreamingOption[] }) {
  const t = explorerMessages.current.show
  const groups = GROUPS.map((type) => ({ type, group: offers.filter((offer) => offer.type === type) }))
  return (
    <section aria-labelledby="where">
      <h2 id="where">{t.where}</h2>
      {offers.length === 0 && (
        <Notice title={t.nowhere(regionName(viewer.value.country))}>
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
