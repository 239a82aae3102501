import type { StreamingOption } from 'marquee-client'
import { formatPrice } from '../../i18n/formats.ts'
import { Badge } from '../../ui/badge.tsx'
import { SafeLink } from '../../ui/safe-link.tsx'
import { explorerMessages } from '../messages.ts'
import { ExpiryBadge } from '../parts/expiry-badge.tsx'
import { safeColor } from '../parts/safe-color.ts'
import { ServiceLogo } from '../parts/service-logo.tsx'
import { localeName } from './locale-name.ts'
import { Tracks } from './tracks.tsx'

/** One way to watch: who has it, what it costs, in which quality and languages, until when, and the way there. */
export function OfferCard({ offer }: { offer: StreamingOption }) {
  const t = explorerMessages.current.show
  const { service, addon, price, quality, link, videoLink, audios, subtitles } = offer
  const isPriced = offer.type === 'rent' || offer.type === 'buy'
  return (
    <div class="offer">
      <svg class="offer-mark" aria-hidden="true">
        <rect width="100%" height="100%" fill={safeColor((addon ?? service).themeColorCode)} />
      </svg>
      <div class="offer-top">
        <ServiceLogo service={service} />
        {price !== undefined && <span class="offer-price">{formatPrice(price)}</span>}
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
