/**
 * Unix seconds of an ISO 8601 date or time; without a zone it is taken as UTC. What is no such time comes back as it
 * is, so that the importer refuses it by name.
 */
export function secondsOf(time: unknown): unknown {
  if (typeof time !== 'string') return time ?? undefined
  const zoned = /T.*(Z|[+-]\d\d:?\d\d)$/i.test(time) || !time.includes('T') ? time : `${time}Z`
  const seconds = Math.floor(Date.parse(zoned) / 1000)
  return Number.isNaN(seconds) ? time : seconds
}

/** The year of an ISO 8601 date or time, or of a plain year. */
export function yearOf(date: unknown): number | undefined {
  const year = /^(\d{4})(?!\d)/.exec(String(date ?? ''))?.[1]
  return year === undefined ? undefined : Number(year)
}

/** Minutes of an ISO 8601 duration such as `PT1H30M`, rounded. */
export function minutesOf(duration: unknown): number | undefined {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(
    String(duration),
  )
  if (match === null || match.slice(1).every((part) => part === undefined)) return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0))
  return Math.round(days * 1440 + hours * 60 + minutes + seconds / 60)
}
