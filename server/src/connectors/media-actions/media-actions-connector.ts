import { isObject } from '../../ingest/parse/fields.ts'
import { type Connector, type ConnectorContext, ConnectorError, type GivenOptions } from '../connector.ts'
import { COUNTRIES_OPTION, countriesMeant } from '../countries-option.ts'
import { readJsonList } from '../json-list.ts'
import { PagedFiles } from '../paged-files.ts'
import { knownServiceName, SERVICE_NAME_OPTION, SERVICE_OPTION, serviceStatement } from '../service-statement.ts'
import { slug } from '../slug.ts'
import { idOf, listOf } from './json-ld.ts'
import { ELEMENTS, type MediaActions, mediaActionsFeed } from './media-actions-feed.ts'

/** Media Actions feeds: what streaming services publish, as JSON-LD, for search engines. */
export const mediaActionsConnector: Connector = {
  name: 'media-actions',
  summary: 'Media Actions feeds (schema.org JSON-LD), a file or a folder of files, plain or gzipped',
  options: {
    service: { ...SERVICE_OPTION, description: `${SERVICE_OPTION.description}; otherwise named after its web site` },
    serviceName: SERVICE_NAME_OPTION,
    countries: COUNTRIES_OPTION,
  },
  open: async (path, options, context) => {
    const files = await PagedFiles.at(
      path,
      /\.json(ld)?(\.gz)?$/i,
      'file whose name ends in .json or .jsonld, plain or .gz',
    )
    const actions = await describe(files, options, context)
    return {
      lines: () => mediaActionsFeed(files, actions),
      progress: () => files.progress(),
      dispose: async () => {},
    }
  },
}

/** What is to be known of a feed before it is read: the service above all, which the format does not name. */
async function describe(files: PagedFiles, given: GivenOptions, { catalog }: ConnectorContext): Promise<MediaActions> {
  const host = await firstHost(files)
  const id = given.service === undefined ? serviceOfHost(host) : String(given.service)
  if (id === undefined) throw new ConnectorError('nothing in it says which service it is of; give --service <id>')
  const named = given.serviceName === undefined ? {} : { name: String(given.serviceName) }
  const service = serviceStatement(catalog, id, {
    ...named,
    ...(host !== undefined && { homePage: `https://${host}` }),
  })
  const serviceName = knownServiceName(catalog, id) ?? named.name ?? id
  return { serviceId: id, service, serviceName, everywhere: countriesMeant(given, catalog) }
}

/** The host of the first address that an element of the feed has. */
async function firstHost(files: PagedFiles): Promise<string | undefined> {
  for (const path of files.paths) {
    for await (const part of readJsonList(files.open(path), ELEMENTS)) {
      if (!('element' in part) || !isObject(part.element)) continue
      const { element } = part
      for (const address of [...listOf(element.url), idOf(element)]) {
        if (typeof address === 'string' && URL.canParse(address)) return new URL(address).host
      }
    }
  }
  return undefined
}

/** What a service is called in its host's name: `acme` of `www.acme.co.uk`. */
function serviceOfHost(host: string | undefined): string | undefined {
  const labels = host?.split('.').slice(0, -1) ?? []
  const name = labels.findLast((label, i) => i === 0 || !/^(com?|net|org|gov|edu|ac)$/.test(label))
  return name === undefined ? undefined : slug(name)
}
