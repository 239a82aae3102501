import type { StreamingOption } from 'marquee-client'
import { formatDay } from '../../i18n/formats.ts'
import { Badge } from '../../ui/badge.tsx'
import { explorerMessages } from '../messages.ts'

/** Says that an offer ends within a month, and on which day if that is known. */
export function ExpiryBadge({ offer }: { offer: Pick<StreamingOption, 'expiresSoon' | 'expiresOn'> }) {
  const t = explorerMessages.current.show
  if (!offer.expiresSoon) return null
  return (
    <Badge kind="warn">{offer.expiresOn === undefined ? t.leavesSoon : t.leaves(formatDay(offer.expiresOn))}</Badge>
  )
}
