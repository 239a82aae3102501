import { useState } from 'preact/hooks'
import { useFormats, useMessages, useViewer } from '../../app/context.ts'
import { stepCountsQuery } from '../../data/queries.ts'
import { useDebounced, useLatest, useQuery } from '../../data/use-query.ts'
import { countryCurrency } from '../../i18n/currency.ts'
import { explorerMessages } from '../../messages/tables.ts'
import { useIncludedCatalogs } from '../components/included-ways.tsx'
import { readPrice } from './browse-filters.ts'
import { CommittedField, FilterGroup, SingleChoice } from './filter-controls.tsx'
import type { FilterGroupsProps } from './filter-groups.tsx'
import { type FilterSteps, hasOfferFilter, LENGTH_STEPS, offerSteps, priceSteps } from './filter-steps.ts'

/** A text for a length in minutes. */
export function useLength(): (minutes: number) => string {
  const t = useMessages(explorerMessages).show
  return (minutes) => t.minutes(Math.floor(minutes / 60), minutes % 60)
}

/** The longest that a movie may be. */
export function LengthFilter(props: FilterGroupsProps) {
  const { filters, change } = props
  const t = useMessages(explorerMessages).browse
  const length = useLength()
  const chosen = filters.runtimeMax === undefined ? undefined : String(filters.runtimeMax)
  const options = Object.keys(LENGTH_STEPS).map((minutes) => [minutes, t.upTo(length(Number(minutes)))] as const)
  return (
    <FilterGroup label={t.runtime} isOpen={true}>
      <SingleChoice<string>
        name="runtime_max"
        options={[[undefined, t.any], ...options]}
        value={chosen}
        counts={useStepCounts(props, LENGTH_STEPS)}
        onChange={(minutes) => change({ runtimeMax: minutes === undefined ? undefined : Number(minutes) })}
      />
    </FilterGroup>
  )
}

/** What is offered: until when, in which quality, for how much. */
export function OfferFilter(props: FilterGroupsProps) {
  const { filters, change } = props
  const t = useMessages(explorerMessages).browse
  const { country } = useViewer()
  const { leaving, qualityMin } = filters
  const isSet = hasOfferFilter(filters)
  const [isOpened, setOpened] = useState(isSet)
  // The group is folded at first, and each option takes a request.
  const counts = useStepCounts(props, isSet || isOpened ? offerSteps(country) : {})
  return (
    <FilterGroup label={t.offer} isOpen={isSet} onOpen={() => setOpened(true)}>
      <fieldset class="filters-range">
        <legend>{t.quality}</legend>
        <SingleChoice
          name="quality_min"
          options={[
            [undefined, t.any],
            ['hd', t.qualities.hd],
            ['uhd', t.qualities.uhd],
          ]}
          value={qualityMin}
          counts={counts}
          onChange={(quality) => change({ qualityMin: quality })}
        />
      </fieldset>
      <fieldset class="filters-range">
        <legend>{t.leaving}</legend>
        <SingleChoice
          name="leaving"
          options={[
            [undefined, t.any],
            ['week', t.leavingIn.week],
            ['month', t.leavingIn.month],
          ]}
          value={leaving}
          counts={counts}
          onChange={(period) => change({ leaving: period })}
        />
      </fieldset>
      <PriceFilter {...props} steps={counts} />
    </FilterGroup>
  )
}

interface PriceFilterProps extends FilterGroupsProps {
  readonly steps: ReadonlyMap<string, number> | undefined
}

/** The most that a rent or a purchase may cost: a few steps, or any price. */
function PriceFilter({ filters: { priceMax }, change, steps }: PriceFilterProps) {
  const format = useFormats()
  const t = useMessages(explorerMessages).browse
  const { country } = useViewer()
  const currency = countryCurrency(country)
  if (currency === undefined) return null
  const prices = Object.keys(priceSteps(country))
  return (
    <fieldset class="filters-range filters-price">
      <legend>{t.price(currency)}</legend>
      <SingleChoice<string>
        name="price_max"
        options={[
          [undefined, t.any],
          ...prices.map((amount) => [amount, t.upTo(format.price({ amount, currency }))] as const),
        ]}
        value={priceMax}
        counts={steps}
        onChange={(amount) => change({ priceMax: amount })}
      />
      <CommittedField
        label={t.price(currency)}
        name="price_max"
        inputMode="decimal"
        hint={t.priceHint}
        text={priceMax ?? ''}
        onChange={(text) => change({ priceMax: readPrice(text) })}
      />
    </fieldset>
  )
}

/** The counts of steps take a request each, so they wait until a visitor pauses. */
const PAUSE_MS = 600

/** How many titles there would be with each step. */
function useStepCounts(
  { filters, counts }: FilterGroupsProps,
  steps: FilterSteps,
): ReadonlyMap<string, number> | undefined {
  const { included, isKnown } = useIncludedCatalogs()
  const query = stepCountsQuery(useViewer(), filters, included, steps)
  const hasPaused = useDebounced(query.key, PAUSE_MS) === query.key
  const isWanted = isKnown && hasPaused && counts !== undefined && Object.keys(steps).length > 0
  return useLatest(useQuery(isWanted ? query : undefined))
}
