/**
 * What differs between two runs of the same command: times, ids, keys, durations, process ids. Each becomes the same
 * word on both sides.
 */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME'],
  [/\d{4}-\d\d-\d\d( \d\d:\d\d)?/g, 'DATE'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID'],
  [/\b[0-9a-f]{12}-[0-9a-z-]+/g, 'ID'],
  [/(before-(?:restore|migration)-)\d+/g, '$1TIME'],
  [/\b1[789]\d{8}(\d{3})?\b/g, 'UNIX'],
  [/\bProcess \d+/g, 'Process PID'],
  [/"pid":\d+/g, '"pid":PID'],
  [/"(ms|seconds|elapsedMs|durationMs)":[\d.]+/g, '"$1":N'],
  [/\b\d+(\.\d+)? (ms|s|min|h|d|days?|hours?|minutes?)\b/g, 'SPAN'],
]

function mask(text: string): string {
  return MASKS.reduce((masked, [pattern, word]) => masked.replace(pattern, word), text)
}

/** The mark that the pages use for what they leave out. */
const ELLIPSIS = '…'

/**
 * Compares an output with what a page shows, and returns what differs, or undefined. JSON is compared by value, text line by
 * line without regard to the width of columns. `…` stands for anything in its line, or for any lines if it is alone.
 * @param varies words of the page that differ from run to run
 */
export function compareOutput(shown: string, actual: string, varies: readonly string[] = []): string | undefined {
  const [shownJson, actualJson] = [parseJson(shown), parseJson(actual)]
  if (shownJson !== undefined && actualJson !== undefined) {
    return compareJson(shownJson.value, actualJson.value, '$', new Set(varies))
  }
  const expected = trimEnd(shown)
  const isLeftOut = (line: string) => line.trim() === ELLIPSIS
  const pattern = expected.map((line) => (isLeftOut(line) ? '(?:\\n.*)*?' : `\\n${toPattern(line, varies)}`)).join('')
  const found = trimEnd(actual)
    .map((line) => `\n${collapse(line)}`)
    .join('')
  return new RegExp(`^${pattern}$`).test(found)
    ? undefined
    : `the page shows\n${indent(expected.join('\n'))}\nbut the output is\n${indent(trimEnd(actual).join('\n'))}`
}

/** A regular expression for a line of a page. */
function toPattern(line: string, varies: readonly string[]): string {
  // The words are replaced before the masks, which would alter them.
  const parts =
    varies.length === 0
      ? [line]
      : line.split(new RegExp(`(?<![\\w.])(?:${varies.map(escapePattern).join('|')})(?!\\w|\\.\\w)`))
  const pattern = parts
    .map((part) => mask(part).replace(/\s+/g, ' '))
    .map((part) => part.split(/ ?… ?/).map(escapePattern).join('.*'))
    .join('\\S+')
  return pattern.replace(/^ | $/g, '')
}

function collapse(line: string): string {
  return mask(line).replace(/\s+/g, ' ').trim()
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

function trimEnd(text: string): string[] {
  return text.trimEnd().split('\n')
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ')
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Compares by value. `"…"` in an array stands for further elements, a member `"…"` for further members. */
function compareJson(shown: unknown, actual: unknown, path: string, varies: ReadonlySet<string>): string | undefined {
  if (typeof shown === 'string' && typeof actual === 'string') {
    if (varies.has(shown)) return undefined
    const pattern = new RegExp(`^${toPattern(shown, [])}$`, 's')
    return pattern.test(collapse(actual)) ||
      (shown.includes(ELLIPSIS) &&
        new RegExp(`^${shown.split(ELLIPSIS).map(escapePattern).join('[\\s\\S]*')}$`).test(actual))
      ? undefined
      : differ(path, shown, actual)
  }
  if (Array.isArray(shown) && Array.isArray(actual)) {
    const isShortened = shown.at(-1) === ELLIPSIS
    const listed = isShortened ? shown.slice(0, -1) : shown
    if (isShortened ? actual.length < listed.length : actual.length !== listed.length)
      return differ(path, shown, actual)
    return firstDifference(listed.map((value, i) => compareJson(value, actual[i], `${path}[${i}]`, varies)))
  }
  if (isObject(shown) && isObject(actual)) {
    const names = Object.keys(shown).filter((name) => name !== ELLIPSIS)
    const additional = Object.keys(actual).filter((name) => !names.includes(name))
    if (additional.length > 0 && !Object.hasOwn(shown, ELLIPSIS)) return `${path} has ${additional.join(', ')}, too`
    return firstDifference(names.map((name) => compareJson(shown[name], actual[name], `${path}.${name}`, varies)))
  }
  const [one, other] = [JSON.stringify(shown), JSON.stringify(actual ?? null)]
  return mask(one) === mask(other) || varies.has(one) ? undefined : differ(path, shown, actual)
}

function firstDifference(differences: readonly (string | undefined)[]): string | undefined {
  return differences.find((difference) => difference !== undefined)
}

function differ(path: string, shown: unknown, actual: unknown): string {
  return `${path}: the page shows ${JSON.stringify(shown)}, the output has ${JSON.stringify(actual)?.slice(0, 300)}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
