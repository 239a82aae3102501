import { useFormats, useMessages } from '../app/context.ts'
import { platformMessages } from '../messages/tables.ts'

/** A plan of the service. */
export interface Plan {
  readonly name: string
  /** Absent means unlimited. */
  readonly quota?: { readonly requests: number; readonly per: 'month' | 'day' }
  /** Requests a second; absent means unlimited. */
  readonly rate?: number
  /** Whether exports are included; absent means that only a plan without a quota includes them. */
  readonly exports?: boolean
  /** Whether the plan is no longer offered. */
  readonly hidden?: boolean
}

/** How much of the quota is used in this period. */
export interface QuotaState {
  readonly granted?: number
  readonly used: number
  readonly reset: number
}

/** Describes quota and rate of a plan: `1,000 a month`, `10 a second`, or that there is no limit. */
export function usePlanText() {
  const t = useMessages(platformMessages)
  const format = useFormats()
  return {
    quota: ({ quota }: Plan): string =>
      quota === undefined ? t.unlimited : t.planQuota[quota.per](format.number(quota.requests)),
    rate: ({ rate }: Plan): string => (rate === undefined ? t.unlimited : t.planRate(format.number(rate))),
  }
}
