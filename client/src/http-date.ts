/** The forms that a date has in HTTP: that of today, and two older ones that still have to be understood. */
const FORMS = [
  /^\w{3}, (?<day>\d\d) (?<month>\w{3}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^\w{3,6}day, (?<day>\d\d)-(?<month>\w{3})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^\w{3} (?<month>\w{3}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
]

/**
 * Milliseconds since 1970 of a date as HTTP writes it; undefined for anything else. `Date.parse` alone takes nearly
 * every text with a number in it for a date: `1.5` is in January 2001.
 */
export function readHttpDate(text: string): number | undefined {
  for (const form of FORMS) {
    const { day, month, year, time } = form.exec(text)?.groups ?? {}
    const instant = Date.parse(`${day} ${month} ${year} ${time} GMT`)
    // The 31st of February would be a day in March.
    if (new Date(instant).getUTCDate() === Number(day)) return instant
  }
  return undefined
}
