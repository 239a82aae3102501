import type { Connector } from '../connector.ts'
import { COUNTRIES_OPTION, countriesMeant } from '../countries-option.ts'
import { PagedFiles } from '../paged-files.ts'
import { SERVICE_NAME_OPTION, SERVICE_OPTION, serviceStatement } from '../service-statement.ts'
import { refuseTemplate } from './link-template.ts'
import { Pages } from './pages.ts'
import { type TvSearchFeed, tvSearchFeed } from './tv-search-feed.ts'

/** Search feeds for TV devices: what channel publishers write so that their titles are found. */
export const tvSearchFeedConnector: Connector = {
  name: 'tv-search-feed',
  summary: 'search feeds for TV devices (JSON, version 1), the first page or a folder of pages, plain or gzipped',
  options: {
    service: { ...SERVICE_OPTION, required: true },
    linkTemplate: {
      value: 'url',
      description: 'address of what is watched, such as https://acme.example/watch/{id}',
      required: true,
      refuse: refuseTemplate,
    },
    serviceName: SERVICE_NAME_OPTION,
    countries: COUNTRIES_OPTION,
  },
  open: async (path, options, { catalog, web }) => {
    const files = await PagedFiles.at(path, /\.json(\.gz)?$/i, 'file whose name ends in .json or .json.gz')
    const pages = new Pages(files, web)
    const { service: id, linkTemplate, serviceName } = options as Readonly<Record<string, string | undefined>>
    const feed: TvSearchFeed = {
      serviceId: String(id),
      service: serviceStatement(catalog, String(id), {
        ...(serviceName !== undefined && { name: serviceName }),
        homePage: new URL(String(linkTemplate).replace(/[{}]/g, '')).origin,
      }),
      linkTemplate: String(linkTemplate),
      everywhere: countriesMeant(options, catalog),
    }
    return { lines: () => tvSearchFeed(pages, feed), progress: () => files.progress(), dispose: async () => {} }
  },
}
