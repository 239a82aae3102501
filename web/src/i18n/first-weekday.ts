/** A day of the week: 1 for Monday to 7 for Sunday. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7

interface WeekInfo {
  readonly firstDay: Weekday
}

/** A locale with what older (a property) and newer runtimes (a method) know of its weeks. */
type WeekLocale = Intl.Locale & { readonly weekInfo?: WeekInfo; readonly getWeekInfo?: () => WeekInfo }

/** The day that weeks begin with in the region of a locale such as `en-US`; Monday where the runtime does not know. */
export function firstWeekday(tag: string): Weekday {
  try {
    const locale: WeekLocale = new Intl.Locale(tag)
    return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1
  } catch {
    return 1
  }
}
