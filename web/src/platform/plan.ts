import { formatNumber } from '../i18n/formats.ts'
import { platformMessages } from '../messages/tables.ts'
import type { Plan } from './session.ts'

/** `1,000 a month`, or that there is no limit. */
export function quotaText({ quota }: Plan): string {
  const t = platformMessages.current
  return quota === undefined ? t.unlimited : t.planQuota[quota.per](formatNumber(quota.requests))
}

/** `10 a second`, or that there is no limit. */
export function rateText({ rate }: Plan): string {
  const t = platformMessages.current
  return rate === undefined ? t.unlimited : t.planRate(formatNumber(rate))
}
