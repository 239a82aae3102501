import type { Operation, Parameter } from './openapi.ts'
import { curlCommand, type ParameterValues } from './snippets.ts'

/** The languages of code for one endpoint. */
export const CALL_LANGUAGES = ['curl', 'TypeScript', 'JavaScript', 'Python', 'Go'] as const
export type CallLanguage = (typeof CALL_LANGUAGES)[number]

/** What the clients call an operation, and what it gives: a value, pages to walk, or a stream. */
interface ClientCall {
  readonly typeScript: string
  readonly python: string
  readonly go: string
  readonly goParameters: string
  readonly gives: 'value' | 'shows' | 'changes' | 'stream' | 'export'
}

const call = (typeScript: string, python: string, go: string, goParameters: string, gives: ClientCall['gives']) => ({
  typeScript,
  python,
  go,
  goParameters,
  gives,
})

/** By operation; a test holds it against the OpenAPI document. */
export const CLIENT_CALLS: Readonly<Record<string, ClientCall>> = {
  getShow: call('shows.get', 'get_show', 'GetShow', 'GetShowParams', 'value'),
  getShows: call('shows.getMany', 'get_shows', 'GetShows', 'GetShowsParams', 'value'),
  getSimilarShows: call('shows.similar', 'get_similar_shows', 'SimilarShows', 'SimilarShowsParams', 'value'),
  getShowHistory: call('shows.history', 'get_show_history', 'ShowHistory', 'ShowHistoryParams', 'value'),
  searchShowsByFilters: call('shows.filter', 'search_by_filters', 'FilterShows', 'FilterShowsParams', 'shows'),
  countShows: call('shows.count', 'count_shows', 'CountShows', 'CountShowsParams', 'value'),
  searchShowsByTitle: call('shows.search', 'search_by_title', 'SearchTitle', 'SearchTitleParams', 'value'),
  getTopShows: call('shows.top', 'get_top_shows', 'TopShows', 'TopShowsParams', 'value'),
  searchPeople: call('people.search', 'search_people', 'SearchPeople', 'SearchPeopleParams', 'value'),
  getChanges: call('changes.list', 'list_changes', 'Changes', 'ChangesParams', 'changes'),
  streamChanges: call('changes.stream', 'stream_changes', 'StreamChanges', 'StreamParams', 'stream'),
  exportCatalog: call('catalog.export', 'export_catalog', 'Export', 'ExportParams', 'export'),
  getCountries: call('countries.list', 'list_countries', 'Countries', 'LocalizedParams', 'value'),
  getCountry: call('countries.get', 'get_country', 'Country', 'LocalizedParams', 'value'),
  getGenres: call('genres.list', 'list_genres', 'Genres', 'LocalizedParams', 'value'),
}

/** A request: the operation, the values of its form, and the whole URL. */
interface CallValues {
  readonly operation: Operation
  readonly values: ParameterValues
  readonly url: string
  readonly base: string
  readonly key: string
}

/** Code that sends a request of the form: curl and `fetch` as they are, the other languages with our client. */
export function callSnippet(language: CallLanguage, request: CallValues): string {
  const known = CLIENT_CALLS[request.operation.operationId]
  // A stream is printed as it comes, not by the block.
  const options = known?.gives === 'stream' ? '-N ' : ''
  if (language === 'curl' || known === undefined) return curlCommand(request.url, request.key, options)
  if (language === 'JavaScript') return javaScript(known, request)
  const given = givenParameters(request)
  if (language === 'Python') return python(known, given, request)
  return language === 'Go' ? go(known, given, request) : typeScript(known, given, request)
}

/** A parameter with its value, as text or as the entries of a list. */
interface Given {
  readonly parameter: Parameter
  readonly text: string
  readonly entries: readonly string[]
}

function givenParameters({ operation, values }: CallValues): Given[] {
  return (operation.parameters ?? []).flatMap((parameter) => {
    const text = values[parameter.name]?.trim() ?? ''
    const entries = text.split(',').flatMap((entry) => entry.trim() || [])
    return text === '' ? [] : { parameter, text, entries }
  })
}

function javaScript({ gives }: ClientCall, { url, key }: CallValues): string {
  const isLines = gives === 'stream' || gives === 'export'
  return `const response = await fetch(
  ${quote(url)},
  { headers: { 'X-API-Key': ${quote(key)} } },
)
if (!response.ok) throw new Error((await response.json()).message)
${isLines ? READ_LINES : 'console.log(await response.json())'}
`
}

/** A stream of events and an export are lines of text, not one JSON value. */
const READ_LINES = `for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
  console.log(text)
}`

function typeScript(
  { typeScript: method, gives }: ClientCall,
  given: readonly Given[],
  { base, key }: CallValues,
): string {
  const literal = ({ parameter: { schema }, text, entries }: Given) => {
    if (schema.type === 'integer' || schema.type === 'boolean') return text
    return schema.type === 'array' ? `[${entries.map(quote).join(', ')}]` : quote(text)
  }
  const path = given.filter(({ parameter }) => parameter.in === 'path').map(({ text }) => quote(text))
  const fields = given
    .filter(({ parameter }) => parameter.in === 'query')
    .map((one) => `  ${toCamelCase(one.parameter.name)}: ${literal(one)},\n`)
  const object = fields.length === 0 ? [] : [`{\n${fields.join('')}}`]
  const sent = `marquee.${method}(${[...path, ...object].join(', ')})`
  return `import { Marquee } from 'marquee-client'

const marquee = new Marquee({ apiKey: ${quote(key)}, baseUrl: ${quote(base)} })

${gives === 'value' ? `console.log(await ${sent})` : `for await (const item of ${sent}) console.log(item)`}
`
}

function python({ python: method, gives }: ClientCall, given: readonly Given[], { base, key }: CallValues): string {
  const literal = ({ parameter: { schema }, text, entries }: Given) => {
    if (schema.type === 'integer') return text
    if (schema.type === 'boolean') return /^(?:true|1)$/i.test(text) ? 'True' : 'False'
    return schema.type === 'array'
      ? `[${entries.map((entry) => JSON.stringify(entry)).join(', ')}]`
      : JSON.stringify(text)
  }
  // `from` is a word of the language.
  const name = ({ parameter }: Given) => (parameter.name === 'from' ? 'from_' : parameter.name)
  const sent = `client.${method}(${given
    .map((one) => (one.parameter.in === 'path' ? literal(one) : `${name(one)}=${literal(one)}`))
    .join(', ')})`
  return `from marquee_client import Client

client = Client(${JSON.stringify(key)}, base_url=${JSON.stringify(base)})

${gives === 'value' ? `print(${sent})` : `for item in ${sent}:\n    print(item)`}
`
}

/** Parameters that Go groups in a struct of their own, except for reference data. */
const SHAPE = new Set(['fields', 'include', 'services'])

/** Parameters that Go has beside those of filter search. */
const COUNT_ALONE = new Set(['facets', 'facet_filters', 'steps'])

/** Lists of a type of their own. */
const GO_LISTS: Readonly<Record<string, string>> = { option_types: 'OptionType', facets: 'Facet' }

function go(
  { go: method, goParameters, gives }: ClientCall,
  given: readonly Given[],
  { base, key }: CallValues,
): string {
  const path = given.filter(({ parameter }) => parameter.in === 'path').map(({ text }) => JSON.stringify(text))
  const fields = given.filter(({ parameter }) => parameter.in === 'query').map(goField)
  const hasShape = goParameters !== 'LocalizedParams'
  const shape = hasShape ? fields.filter(({ name }) => SHAPE.has(name)) : []
  const counted = fields.filter(({ name }) => COUNT_ALONE.has(name))
  const plain = fields.filter((field) => !shape.includes(field) && !counted.includes(field)).map(({ text }) => text)
  if (shape.length > 0) plain.push(`Shape: marquee.Shape{${shape.map(({ text }) => text).join(', ')}}`)
  const filters = `marquee.FilterShowsParams{${plain.join(', ')}}`
  const literal =
    method === 'CountShows'
      ? `marquee.CountShowsParams{${[`FilterShowsParams: ${filters}`, ...counted.map(({ text }) => text)].join(', ')}}`
      : `marquee.${goParameters}{${plain.join(', ')}}`
  const sent = `client.${method}(${['ctx', ...path, literal].join(', ')}`
  const imports = ['context', 'fmt', 'log', ...(fields.some(({ text }) => text.includes('time.Unix')) ? ['time'] : [])]
  return `package main

import (
${imports.map((name) => `\t"${name}"\n`).join('')}
	"github.com/marquee-catalog/marquee/marquee"
)

func main() {
	ctx := context.Background()
	client, err := marquee.New(${JSON.stringify(key)}, marquee.WithBaseURL(${JSON.stringify(base)}))
	if err != nil {
		log.Fatal(err)
	}
${GO_ENDINGS[gives](sent)}}
`
}

/** What is done with the result; `sent` is the call without its last parenthesis. */
const GO_ENDINGS: Readonly<Record<ClientCall['gives'], (sent: string) => string>> = {
  value: (sent) => `	result, err := ${sent})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\\n", result)
`,
  shows: (sent) => goPages(sent, 'Show'),
  changes: (sent) => goPages(sent, 'Change'),
  stream: (sent) => `	err = ${sent}, func(change *marquee.StreamedChange, since string) error {
		fmt.Printf("%+v\\n", change)
		return nil
	})
	log.Fatal(err)
`,
  export: (sent) => `	err = ${sent}, marquee.ExportHandlers{Show: func(show *marquee.Show) error {
		fmt.Println(show.Title)
		return nil
	}})
	if err != nil {
		log.Fatal(err)
	}
`,
}

function goPages(sent: string, item: string): string {
  return `	items := ${sent})
	for items.Next() {
		fmt.Printf("%+v\\n", items.${item}())
	}
	if err := items.Err(); err != nil {
		log.Fatal(err)
	}
`
}

/** A field of a parameter struct: instants are times, other numbers pointers. */
function goField({ parameter: { name, schema }, text, entries }: Given): {
  readonly name: string
  readonly text: string
} {
  const field = toCamelCase(`_${name}`).replace(/Ids$/, 'IDs')
  const quoted = entries.map((entry) => JSON.stringify(entry)).join(', ')
  if (name === 'change_type' || name === 'item_type') {
    const list = `${field}s: []marquee.${field}{${quoted}}`
    return { name, text: entries.length > 1 ? list : `${field}: ${quoted}` }
  }
  const value = () => {
    if (schema.type === 'array') return `[]${name in GO_LISTS ? `marquee.${GO_LISTS[name]}` : 'string'}{${quoted}}`
    if (schema.type === 'boolean') return `marquee.Bool(${/^(?:true|1)$/i.test(text)})`
    if (schema.type !== 'integer') return JSON.stringify(text)
    return schema.format === 'int64' ? `time.Unix(${text}, 0)` : `marquee.Int(${text})`
  }
  return { name, text: `${field}: ${value()}` }
}

/** `year_min` as `yearMin`. */
function toCamelCase(name: string): string {
  return name.replace(/[_-](\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** A text as a literal of JavaScript. */
function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
