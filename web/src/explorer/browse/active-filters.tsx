import { useLayoutEffect, useRef } from 'preact/hooks'
import { useFormats, useMessages, useViewer } from '../../app/context.ts'
import { HiddenValues } from '../../components/query-form.tsx'
import { useCountry, useGenres } from '../../data/use-query.ts'
import { countryCurrency } from '../../i18n/currency.ts'
import { explorerMessages, layoutMessages } from '../../messages/tables.ts'
import { type BrowseFilters, filtersAsQuery, NO_FILTERS } from './browse-filters.ts'
import type { ChangeFilters } from './browse-page.tsx'
import { useLength } from './offer-filters.tsx'

interface ActiveFilter {
  readonly name: string
  /** The change that removes it. */
  readonly without: Partial<BrowseFilters>
}

interface ActiveFiltersProps {
  readonly filters: BrowseFilters
  readonly change: ChangeFilters
}

/** The filters that are set, each with a remove button. */
export function ActiveFilters({ filters, change }: ActiveFiltersProps) {
  const t = useMessages(explorerMessages)
  const { country: code, language: lang } = useViewer()
  const names = useOptionNames()
  const active = useActiveFilters(filters)
  // The clicked button is removed, so the focus moves to the next one, or to the group.
  const group = useRef<HTMLFieldSetElement>(null)
  const removed = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (removed.current === undefined) return
    const buttons = group.current?.querySelectorAll('button') ?? []
    const next = buttons[Math.min(removed.current, buttons.length - 1)] ?? group.current
    next?.focus()
    removed.current = undefined
  }, [active.length])
  const remove = (place: number, without: Partial<BrowseFilters>) => {
    removed.current = place
    change(without)
  }
  return (
    <fieldset class="active-filters" ref={group} tabIndex={-1}>
      <legend class="unseen">{t.browse.filtersSet(active.length)}</legend>
      <ul class="chips">
        {active.map(({ name, without }, place) => {
          const shown = names.get(name) ?? name
          return (
            <li key={name}>
              <form
                action="/browse"
                onSubmit={(event) => {
                  event.preventDefault()
                  remove(place, without)
                }}
              >
                <HiddenValues values={{ ...filtersAsQuery({ ...filters, ...without }), country: code, lang }} />
                <button type="submit" class="chip" aria-label={t.browse.remove(shown)}>
                  {shown}
                  <span aria-hidden="true">×</span>
                </button>
              </form>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}

/** The names of genres and catalogs by their ids, as far as they are loaded. */
function useOptionNames(): ReadonlyMap<string, string> {
  const { types } = useMessages(explorerMessages)
  const country = useCountry()
  const genres = useGenres()
  const names = new Map<string, string>()
  if (genres.state === 'ready') for (const { id, name } of genres.value) names.set(id, name)
  if (country.state === 'ready') {
    for (const service of country.value.services) {
      names.set(service.id, service.name)
      for (const addon of service.addons) names.set(`${service.id}.addon.${addon.id}`, addon.name)
      for (const [type, name] of Object.entries(types)) names.set(`${service.id}.${type}`, `${service.name}: ${name}`)
    }
  }
  return names
}

/** The name of the person, genre or catalog that a list is of; undefined if other filters are set too. */
export function useListSubject(filters: BrowseFilters): string | undefined {
  const names = useOptionNames()
  const isOnlyFilter = useActiveFilters(filters).length === 1
  const [subject] = [...filters.people, ...filters.genres, ...filters.catalogs]
  return isOnlyFilter && subject !== undefined ? (names.get(subject) ?? subject) : undefined
}

/** The filters that are set. Genres and catalogs are named by their ids. */
export function useActiveFilters(filters: BrowseFilters): ActiveFilter[] {
  const t = useMessages(explorerMessages).browse
  const { types } = useMessages(layoutMessages).search
  const format = useFormats()
  const length = useLength()
  const { country } = useViewer()
  const { catalogs, showType, genres, originalLanguage, yearMin, yearMax, ratingMin, ratingMax } = filters
  const { runtimeMin, runtimeMax, audios, subtitles, qualityMin, priceMax, leaving, keyword, people } = filters
  const currency = countryCurrency(country)
  const trackName = (code: string) =>
    format.languageName(code.replace('-cc', '')) + (code.endsWith('-cc') ? ' (CC)' : '')
  const active: ActiveFilter[] = []
  const add = (name: string | undefined, without: Partial<BrowseFilters>) => {
    if (name !== undefined && name !== '') active.push({ name, without })
  }
  add(showType && types[showType], { showType: NO_FILTERS.showType })
  for (const catalog of catalogs) add(catalog, { catalogs: catalogs.filter((other) => other !== catalog) })
  for (const genre of genres) add(genre, { genres: genres.filter((other) => other !== genre) })
  add(originalLanguage && format.languageName(originalLanguage), { originalLanguage: undefined })
  add(yearMin === undefined ? undefined : t.yearsFrom(yearMin), { yearMin: undefined })
  add(yearMax === undefined ? undefined : t.yearsTo(yearMax), { yearMax: undefined })
  add(ratingMin === undefined ? undefined : t.ratingFrom(ratingMin), { ratingMin: undefined })
  add(ratingMax === undefined ? undefined : t.ratingTo(ratingMax), { ratingMax: undefined })
  add(runtimeMin === undefined ? undefined : t.atLeast(length(runtimeMin)), { runtimeMin: undefined })
  add(runtimeMax === undefined ? undefined : t.upTo(length(runtimeMax)), { runtimeMax: undefined })
  for (const code of audios) add(t.audioIn(trackName(code)), { audios: audios.filter((other) => other !== code) })
  for (const code of subtitles)
    add(t.subtitlesIn(trackName(code)), { subtitles: subtitles.filter((other) => other !== code) })
  add(qualityMin && t.qualities[qualityMin], { qualityMin: undefined })
  add(priceMax && currency && t.upTo(format.price({ amount: priceMax, currency })), { priceMax: undefined })
  add(leaving && `${t.leaving}: ${t.leavingIn[leaving]}`, { leaving: undefined })
  for (const person of people) add(person, { people: people.filter((other) => other !== person) })
  add(keyword.trim() && `“${keyword.trim()}”`, { keyword: '' })
  return active
}
