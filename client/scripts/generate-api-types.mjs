/**
 * Writes `src/api-types.ts` from `spec/openapi.json`: what requests take and answers hold, with their descriptions.
 *
 *   node scripts/generate-api-types.mjs
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const SPEC = new URL('../../spec/openapi.json', import.meta.url)
const TYPES = new URL('../src/api-types.ts', import.meta.url)

/** The parameters of each operation, by the name that they have for users. */
const PARAMETERS = {
  getShow: 'GetShowParameters',
  getShows: 'GetShowsParameters',
  getSimilarShows: 'SimilarShowsParameters',
  getShowHistory: 'ShowHistoryParameters',
  searchShowsByFilters: 'FilterShowsParameters',
  countShows: 'CountShowsParameters',
  searchShowsByTitle: 'SearchShowsParameters',
  getTopShows: 'TopShowsParameters',
  searchPeople: 'SearchPeopleParameters',
  getChanges: 'ListChangesParameters',
  streamChanges: 'StreamChangesParameters',
  exportCatalog: 'ExportCatalogParameters',
  getCountries: 'ListCountriesParameters',
  getCountry: 'GetCountryParameters',
  getGenres: 'ListGenresParameters',
}

/** Schemas whose names mean something else to a JavaScript program. */
const RENAMED = { Error: 'ErrorBody' }

/** The types as text. */
export function apiTypes(document) {
  const schemas = document.components.schemas
  /** Choices of words that the document does not name, by the names that they get here. */
  const choices = new Map()
  const blocks = Object.entries(schemas)
    // A list needs no name of its own.
    .filter(([, schema]) => schema.type !== 'array')
    .map(([name, schema]) => declaration(RENAMED[name] ?? name, schema))
  for (const operation of Object.values(document.paths).map(({ get }) => get)) {
    const name = PARAMETERS[operation.operationId]
    if (name === undefined) {
      throw new Error(`The operation ${operation.operationId} is new: name its parameters here, and give it a method`)
    }
    blocks.push(parametersOf(name, operation))
  }
  const head = `/**
 * What requests take and answers hold.
 * Made from \`spec/openapi.json\` by \`npm run types\`: do not edit.
 */
`
  return [head, ...blocks, ...choices.values()].join('\n')

  function declaration(name, schema) {
    const doc = comment(schema.description)
    if (schema.type === 'object') {
      return `${doc}export interface ${name} {\n${members(schema.properties, schema.required)}}\n`
    }
    return `${doc}export type ${name} = ${typeOf(schema, name)}\n`
  }

  function members(properties, required = []) {
    return Object.entries(properties)
      .map(([key, schema]) => {
        const mark = required.includes(key) ? '' : '?'
        const described = schema.description ?? schemas[schema.$ref?.split('/').pop()]?.description
        return `${comment(described, '  ')}  ${memberName(key)}${mark}: ${typeOf(schema, key === 'code' ? 'ErrorCode' : pascal(key))}\n`
      })
      .join('')
  }

  function parametersOf(name, { summary, parameters }) {
    const own = parameters.filter((parameter) => parameter.in === 'query')
    const lines = own.map(({ name: key, required, description, schema }) => {
      const usual = schema.default === undefined ? '' : ` By default \`${schema.default}\`.`
      // Times can be given as dates, and lists are only read.
      const type = schema.format === 'int64' ? 'number | Date' : parameterType(schema, key)
      const declared = required ? `${camel(key)}: ${type}` : `${camel(key)}?: ${type} | undefined`
      return `${comment(description + usual, '  ')}  ${declared}\n`
    })
    return `/** Parameters of "${summary}". */\nexport interface ${name} {\n${lines.join('')}}\n`
  }

  /** A list is only read. One of words can be a single word, too. */
  function parameterType(schema, key) {
    const type = typeOf(schema, pascal(key)).replace(/.*\[\]$/, 'readonly $&')
    return schema.items?.enum === undefined ? type : `${typeOf(schema.items, pascal(key))} | ${type}`
  }

  function typeOf(schema, name) {
    if (schema.$ref !== undefined) {
      const target = schema.$ref.split('/').pop()
      return RENAMED[target] ?? target
    }
    if (schema.oneOf !== undefined) return schema.oneOf.map((one) => typeOf(one)).join(' | ')
    if (schema.const !== undefined) return `'${schema.const}'`
    if (schema.enum !== undefined) return choiceOf(schema, name)
    if (schema.type === 'array') return `${typeOf(schema.items, name)}[]`
    // A key that is not there is common (a country without options): the type says so.
    if (schema.type === 'object') return `{ [key: string]: ${typeOf(schema.additionalProperties)} | undefined }`
    return schema.type === 'integer' ? 'number' : schema.type
  }

  /** A choice of words is declared once, under its own name. */
  function choiceOf(schema, name) {
    if (schemas[name]?.enum !== undefined) return schema === schemas[name] ? words(schema) : name
    const text = `${comment(CHOICES[name] ?? schema.description)}export type ${name} = ${words(schema)}\n`
    if ((choices.get(name) ?? text) !== text) throw new Error(`Two choices of words want the name ${name}`)
    choices.set(name, text)
    // New codes may come: programs must not rely on having seen them all.
    return name === 'ErrorCode' ? `${name} | (string & {})` : name
  }
}

/** What the choices of words are that are described only where they are used. */
const CHOICES = {
  SeriesGranularity: 'How much of a series is answered: no seasons, seasons, or seasons with episodes.',
  OutputLanguage: 'Languages in which names and texts are answered (ISO 639-1).',
  GenresRelation: 'Whether a show must have one of several genres or all of them.',
  OrderBy: 'What shows are ordered by.',
  OrderDirection: 'Direction of an order.',
  ErrorCode: 'What went wrong, for programs.',
}

const words = (schema) => schema.enum.map((word) => `'${word}'`).join(' | ')
/** A key as it is written in an interface: quoted if it is no identifier. */
const memberName = (key) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : `'${key}'`)
const pascal = (name) => name.replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase())
const camel = (name) => name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase())

function comment(text, indent = '') {
  return text === undefined ? '' : `${indent}/** ${text} */\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(TYPES, apiTypes(JSON.parse(readFileSync(SPEC, 'utf8'))))
}
