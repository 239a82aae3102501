import { useFormats, useMessages, useViewer } from '../../app/context.ts'
import { countryCurrency } from '../../i18n/currency.ts'
import { explorerMessages } from '../../messages/tables.ts'
import { readPrice } from './browse-filters.ts'
import { CommittedField, FilterGroup, SingleChoice } from './filter-controls.tsx'
import type { FilterGroupsProps } from './filter-groups.tsx'
import { LENGTHS, priceSteps } from './filter-steps.ts'

/** A text for a length in minutes. */
export function useLength(): (minutes: number) => string {
  const t = useMessages(explorerMessages).show
  return (minutes) => t.minutes(Math.floor(minutes / 60), minutes % 60)
}

/** The longest that a movie may be. */
export function LengthFilter({ filters, change, counts }: FilterGroupsProps) {
  const t = useMessages(explorerMessages).browse
  const length = useLength()
  const chosen = filters.runtimeMax === undefined ? undefined : String(filters.runtimeMax)
  const options = LENGTHS.map((minutes) => [String(minutes), t.upTo(length(minutes))] as const)
  return (
    <FilterGroup label={t.runtime} isOpen={true}>
      <SingleChoice<string>
        name="runtime_max"
        options={[[undefined, t.any], ...options]}
        value={chosen}
        counts={counts?.steps.runtimeMax}
        onChange={(minutes) => change({ runtimeMax: minutes === undefined ? undefined : Number(minutes) })}
      />
    </FilterGroup>
  )
}

/** What is offered: until when, in which quality, for how much. */
export function OfferFilter(props: FilterGroupsProps) {
  const { filters, change, counts } = props
  const t = useMessages(explorerMessages).browse
  const { leaving, qualityMin, priceMax } = filters
  return (
    <FilterGroup label={t.offer} isOpen={leaving !== undefined || qualityMin !== undefined || priceMax !== undefined}>
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
          counts={counts?.steps.qualityMin}
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
          counts={counts?.steps.leaving}
          onChange={(period) => change({ leaving: period })}
        />
      </fieldset>
      <PriceFilter {...props} />
    </FilterGroup>
  )
}

/** The most that a rent or a purchase may cost: a few steps, or any price. */
function PriceFilter({ filters: { priceMax }, change, counts }: FilterGroupsProps) {
  const format = useFormats()
  const t = useMessages(explorerMessages).browse
  const { country } = useViewer()
  const currency = countryCurrency(country)
  if (currency === undefined) return null
  return (
    <fieldset class="filters-range filters-price">
      <legend>{t.price(currency)}</legend>
      <SingleChoice<string>
        name="price_max"
        options={[
          [undefined, t.any],
          ...priceSteps(country).map((amount) => [amount, t.upTo(format.price({ amount, currency }))] as const),
        ]}
        value={priceMax}
        counts={counts?.steps.priceMax}
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
