import type { Connector } from '../connector.ts'
import { ScratchFolder } from '../scratch-folder.ts'
import { DataSet } from './data-set.ts'
import { ImdbFeed } from './imdb-feed.ts'

/** The non-commercial data sets of IMDb: what they say of shows that are known by their IMDb id, or of all there are. */
export const imdbConnector: Connector = {
  name: 'imdb',
  summary: 'a folder with the IMDb data sets (TSV, plain or gzipped), which enrich shows that are known by IMDb id',
  options: {
    create: { description: 'make shows of all movies and series, not only of those that are known' },
  },
  open: async (path, { create }, { catalog }) => {
    const data = await DataSet.in(path)
    const scratch = new ScratchFolder()
    const feed = new ImdbFeed(data, catalog, create === true, scratch)
    return {
      lines: () => feed.lines(),
      progress: () => data.progress(),
      dispose: async () => scratch.remove(),
    }
  },
}
