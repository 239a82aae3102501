/**
 * Writes `marquee_client/types.py` and `marquee_client/_methods.py` from `spec/openapi.json`: what answers hold, and the
 * methods of both clients with their parameters.
 *
 *   node python/scripts/generate-api-code.mjs
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const SPEC = new URL('../../spec/openapi.json', import.meta.url)
const TYPES = new URL('../marquee_client/types.py', import.meta.url)
const METHODS = new URL('../marquee_client/_methods.py', import.meta.url)

/** Widest line of a comment or docstring. */
const WIDTH = 110

/**
 * The methods of each operation. `positional` parameters come first. `one` returns a value, `pages` a lazy list, `stream`
 * an iterator.
 */
const OPERATIONS = {
  getShow: [{ name: 'get_show', positional: ['id'], kind: 'one', type: 'Show' }],
  getShows: [{ name: 'get_shows', positional: ['ids'], kind: 'one', type: 'List[Show]' }],
  getSimilarShows: [{ name: 'get_similar_shows', positional: ['id'], kind: 'one', type: 'List[Show]' }],
  getShowHistory: [{ name: 'get_show_history', positional: ['id'], kind: 'one', type: 'ShowHistory' }],
  searchShowsByFilters: [{ name: 'search_by_filters', kind: 'pages', type: 'Show' }],
  countShows: [{ name: 'count_shows', kind: 'one', type: 'ShowCount' }],
  searchShowsByTitle: [{ name: 'search_by_title', positional: ['title'], kind: 'one', type: 'List[Show]' }],
  getTopShows: [{ name: 'get_top_shows', kind: 'one', type: 'List[Show]' }],
  searchPeople: [{ name: 'search_people', positional: ['name'], kind: 'one', type: 'List[Person]' }],
  getChanges: [
    {
      name: 'list_changes',
      kind: 'pages',
      type: 'StreamedChange',
      about: 'Changes in the catalogs of a country by date, page by page, each with its show.',
    },
    {
      name: 'changes_since',
      kind: 'one',
      type: 'ChangesSince',
      required: ['since'],
      omitted: ['from', 'to', 'cursor', 'order_direction', 'include_unknown_dates'],
      about:
        'All past changes after a token (or "now"), in the order in which they became known, and the token for the next ' +
        'time: nothing is missed, and nothing comes twice. Fails with the code `token_expired` when the token is older ' +
        'than the changes that the service keeps.',
    },
  ],
  streamChanges: [
    {
      name: 'stream_changes',
      kind: 'stream',
      type: 'ChangeWithToken',
      about:
        'Past changes as they become known, without end; each has its show and `since`, the token behind it. A connection ' +
        'that is lost is opened again and goes on behind the last change. Reconnects as often as it must, or `retries` ' +
        'times in a row; the timeout holds for each part that arrives.',
    },
  ],
  exportCatalog: [
    {
      name: 'export_catalog',
      kind: 'stream',
      type: 'Exported',
      about:
        'All shows of a country or, with `since`, those that were altered or left after an earlier export. The head comes ' +
        'first, with the token for the next time. An export that is cut off goes on where it was; shows may then come ' +
        'twice, and the later one counts. The timeout holds for each part that arrives.',
    },
  ],
  getCountries: [{ name: 'list_countries', kind: 'one', type: 'List[Country]' }],
  getCountry: [{ name: 'get_country', positional: ['country_code'], kind: 'one', type: 'Country' }],
  getGenres: [{ name: 'list_genres', kind: 'one', type: 'List[Genre]' }],
}

/** Schemas whose names mean something else to a Python program. */
const RENAMED = { Error: 'ErrorBody' }

/** What the choices of words are that are described only where they are used. */
const CHOICES = {
  SeriesGranularity: 'How much of a series is answered: no seasons, seasons, or seasons with episodes.',
  OutputLanguage: 'Languages in which names and texts are answered (ISO 639-1).',
  GenresRelation: 'Whether a show must have one of several genres or all of them.',
  OrderBy: 'What shows are ordered by.',
  OrderDirection: 'Direction of an order.',
  ErrorCode: 'What went wrong, for programs.',
}

const HEAD = 'Made from spec/openapi.json by scripts/generate-api-code.mjs: do not edit.'

/** Both files as text. */
export function apiCode(document) {
  const schemas = document.components.schemas
  /** Choices of words that the document does not name, by the names that they get here. */
  const choices = new Map()
  // Aliases are evaluated, so what they name comes first. A list needs no name of its own.
  const declarations = Object.entries(schemas)
    .filter(([, schema]) => schema.type !== 'array')
    .sort(([, one], [, other]) => Number(one.type !== 'object') - Number(other.type !== 'object'))
    .map(([name, schema]) => declare(RENAMED[name] ?? name, schema))
  const operations = Object.entries(document.paths).flatMap(([, { get }]) => {
    const methods = OPERATIONS[get.operationId]
    if (methods === undefined) throw new Error(`The operation ${get.operationId} is new: give it a method here`)
    return methods.map((method) => ({ ...method, operation: get }))
  })
  const sync = operations.map((one) => methodText(one, false))
  const async = operations.map((one) => methodText(one, true))
  const names = [...choices.keys(), ...Object.keys(schemas).filter((name) => schemas[name].type !== 'array')]
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(sync.join('').replace(/""".*?"""/gs, '')))
  const types = `"""What answers hold, and the words that parameters take.

${HEAD}
"""

from __future__ import annotations

from typing import Dict, List, Literal, TypedDict, Union

${[...choices.values()].join('\n')}
${declarations.join('\n\n')}

#: What an export yields: its head first, then shows and removals.
Exported = Union[ExportHead, ExportRemoval, Show]
`
  const methods = `"""The methods of both clients.

${HEAD}
"""

from __future__ import annotations

from datetime import datetime
from typing import AsyncIterator, Iterator, List, Optional, Sequence, Union

from ._operations import ChangesSince, ChangeWithToken, Operations
from ._pages import AsyncPages, Pages, Walk, iterate, run
from .types import (
${['Exported', ...used]
  .sort()
  .map((name) => `    ${name},\n`)
  .join('')})


class SyncMethods:
    """The calls of a client that blocks."""

    _operations: Operations

${sync.join('\n')}

class AsyncMethods:
    """The calls of a client for asyncio."""

    _operations: Operations

${async.join('\n')}`
  return { types, methods }

  function declare(name, schema) {
    if (schema.type !== 'object') return `${comment(schema.description)}${name} = ${typeOf(schema, name)}\n`
    const required = schema.required ?? []
    const members = Object.entries(schema.properties)
    const bases = []
    const parts = []
    for (const [suffix, own, total] of [
      ['Required', members.filter(([key]) => required.includes(key)), ''],
      ['Optional', members.filter(([key]) => !required.includes(key)), ', total=False'],
    ]) {
      if (own.length === 0) continue
      bases.push(`_${name}${suffix}`)
      const lines = own.map(([key, member]) => {
        const described = member.description ?? schemas[member.$ref?.split('/').pop()]?.description
        return [comment(described, '    '), key, typeOf(member, memberTypeName(key))]
      })
      parts.push(
        own.every(([key]) => isName(key))
          ? `class _${name}${suffix}(TypedDict${total}):\n${lines.map(([doc, key, type]) => `${doc}    ${key}: ${type}\n`).join('')}`
          : `_${name}${suffix} = TypedDict(\n    "_${name}${suffix}",\n    {\n${lines
              .map(
                ([doc, key, type]) =>
                  `${doc.replace(/^ {4}/gm, '        ')}        "${key}": "${type.replaceAll('"', "'")}",\n`,
              )
              .join('')}    },\n${total === '' ? '' : '    total=False,\n'})\n`,
      )
    }
    const about = docstring(schema.description ?? `The schema ${name} of the API.`, '    ')
    return `${parts.join('\n\n')}\n\nclass ${name}(${bases.join(', ')}):\n${about}`
  }

  function typeOf(schema, name) {
    if (schema.$ref !== undefined) {
      const target = schema.$ref.split('/').pop()
      return RENAMED[target] ?? target
    }
    if (schema.oneOf !== undefined) return `Union[${schema.oneOf.map((one) => typeOf(one, name)).join(', ')}]`
    if (schema.const !== undefined) return `Literal["${schema.const}"]`
    if (schema.enum !== undefined) return choiceOf(schema, name)
    if (schema.type === 'array') return `List[${typeOf(schema.items, name)}]`
    if (schema.type === 'object') return `Dict[str, ${typeOf(schema.additionalProperties, name)}]`
    return { integer: 'int', number: 'float', boolean: 'bool', string: 'str' }[schema.type]
  }

  /** A choice of words is declared once, under its own name. */
  function choiceOf(schema, name) {
    const words = `Literal[${schema.enum.map((word) => `"${word}"`).join(', ')}]`
    if (schemas[name]?.enum !== undefined) return schema === schemas[name] ? words : name
    // New codes may come: programs must not rely on having seen them all.
    if (name === 'ErrorCode') return 'str'
    const text = `${comment(CHOICES[name] ?? schema.description)}${name} = ${words}\n`
    if ((choices.get(name) ?? text) !== text) throw new Error(`Two choices of words want the name ${name}`)
    choices.set(name, text)
    return name
  }

  function methodText({ name, positional = [], required = [], omitted = [], kind, type, about, operation }, isAsync) {
    const all = operation.parameters
      .filter((parameter) => !omitted.includes(parameter.name))
      .map((parameter) => ({
        ...parameter,
        argument: argumentName(parameter.name),
        required: parameter.required || required.includes(parameter.name),
      }))
    const first = positional.map((argument) => all.find((parameter) => parameter.argument === argument))
    const rest = all.filter((parameter) => !first.includes(parameter))
    const limits = kind === 'pages' ? ['max_pages: Optional[int] = None', 'max_items: Optional[int] = None'] : []
    const signature = [
      'self',
      ...first.map(argumentText),
      '*',
      ...rest.filter((parameter) => parameter.required).map(argumentText),
      ...rest.filter((parameter) => !parameter.required).map(argumentText),
      ...limits,
      'timeout: Optional[float] = None',
      'retries: Optional[int] = None',
    ]
    const query = all.filter((parameter) => parameter.in === 'query')
    const described = [
      `${about ?? `${operation.summary}. ${operation.description ?? ''}`.trim()}\n`,
      ...all.map((one) => `:param ${one.argument}: ${one.description}${usual(one)}`),
      ...(kind === 'pages'
        ? [':param max_pages: The most pages to fetch.', ':param max_items: The most items to yield.']
        : []),
      ':param timeout: Seconds that a call may take; for this call instead of that of the client.',
      ':param retries: The most retries; for this call instead of that of the client.',
    ]
    const returned = {
      one: type,
      pages: `${isAsync ? 'Async' : ''}Pages[${type}]`,
      stream: `${isAsync ? 'Async' : ''}Iterator[${type}]`,
    }[kind]
    const path = first.filter((parameter) => parameter.in === 'path').map((parameter) => `${parameter.argument}, `)
    const call = `self._operations.${name}(${path.join('')}parameters, (timeout, retries))`
    const fetch = `lambda at: self._operations.${name}({**parameters, "cursor": at}, (timeout, retries))`
    const body = {
      one: isAsync ? `        return await ${call}\n` : `        return run(${call})\n`,
      stream: isAsync ? `        return ${call}\n` : `        return iterate(${call})\n`,
      pages: `        walk: Walk[${type}] = Walk(\n            ${fetch}, cursor, max_pages, max_items\n        )\n        return ${isAsync ? 'Async' : ''}Pages(walk)\n`,
    }[kind]
    return `    ${isAsync && kind === 'one' ? 'async ' : ''}def ${name}(
${signature.map((one) => `        ${one},\n`).join('')}    ) -> ${returned}:
${docstring(described.join('\n'), '        ')}        parameters = {
${query.map((one) => `            "${one.name}": ${one.argument},\n`).join('')}        }
${body}`
  }

  function argumentText({ argument, required, name, schema }) {
    const type = argumentType(schema, pascal(name))
    return required ? `${argument}: ${type}` : `${argument}: Optional[${type}] = None`
  }

  /** Times can be given as dates, lists are only read, and a list of words can be a single word. */
  function argumentType(schema, name) {
    if (schema.format === 'int64') return 'Union[int, datetime]'
    if (schema.type !== 'array') return typeOf(schema, name)
    const item = typeOf(schema.items, name)
    return item === 'str' ? 'Sequence[str]' : `Union[${item}, Sequence[${item}]]`
  }
}

/** The default of a parameter as a sentence. */
const usual = ({ schema }) => (schema.default === undefined ? '' : ` By default ${JSON.stringify(schema.default)}.`)
const KEYWORDS = new Set(['from', 'import', 'class', 'type', 'in', 'is', 'not', 'or', 'and', 'global', 'lambda'])
const isName = (key) => /^[A-Za-z_]\w*$/.test(key) && (!KEYWORDS.has(key) || key === 'type')
/** `from` is a keyword of Python. */
const argumentName = (name) => (isName(name.replaceAll('-', '_')) ? name.replaceAll('-', '_') : `${name}_`)
const memberTypeName = (key) => (key === 'code' ? 'ErrorCode' : pascal(key))
const pascal = (name) => name.replace(/(?:^|[_-])([a-z])/g, (_, letter) => letter.toUpperCase())

/** Breaks a text into lines. */
function wrap(text, width) {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.length - 1
    if (lines[last] !== '' && lines[last].length + 1 + word.length > width) lines.push(word)
    else lines[last] += lines[last] === '' ? word : ` ${word}`
  }
  return lines
}

function comment(text, indent = '') {
  if (text === undefined) return ''
  return wrap(text, WIDTH - indent.length)
    .map((line) => `${indent}#: ${line}\n`)
    .join('')
}

function docstring(text, indent) {
  const lines = text.split('\n').flatMap((paragraph) => {
    const [first, ...more] = wrap(paragraph, WIDTH - indent.length - 4)
    return [first, ...more.map((line) => (paragraph.startsWith(':param') ? `    ${line}` : line))]
  })
  const escaped = lines.map((line) => line.replaceAll('\\', '\\\\').replaceAll('"""', "'''"))
  if (escaped.length === 1) return `${indent}"""${escaped[0]}"""\n`
  return `${indent}"""${escaped.map((line, i) => (i === 0 || line === '' ? line : indent + line)).join('\n')}\n${indent}"""\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { types, methods } = apiCode(JSON.parse(readFileSync(SPEC, 'utf8')))
  writeFileSync(TYPES, types)
  writeFileSync(METHODS, methods)
}
