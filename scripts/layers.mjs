/**
 * The layers of `server/src` from the bottom up: what each may import, and the arrows between its parts (`.` stands for the
 * files directly in the layer's folder, which may import all parts of it). Parts are listed from the bottom up, too: a part
 * imports only parts that are listed before it. A layer without `parts` is one folder.
 */
export const LAYERS = {
  lib: { imports: [], parts: { postgres: ['.'] } },
  model: { imports: [] },
  catalog: {
    imports: ['lib', 'model'],
    parts: {
      storage: [],
      documents: ['storage'],
      text: [],
      index: ['storage', 'text'],
      sorted: ['storage'],
      changes: ['storage', 'documents', 'sorted'],
      write: ['.', 'storage', 'documents', 'index', 'sorted', 'changes'],
    },
  },
  query: { imports: ['lib', 'model', 'catalog'], parts: { titles: ['.'] } },
  render: { imports: ['lib', 'model', 'catalog', 'query'] },
  ledger: { imports: ['lib', 'model', 'catalog'], parts: { postgres: ['.'] } },
  ingest: {
    imports: ['lib', 'model', 'catalog', 'ledger'],
    parts: { rules: [], parse: ['.', 'rules'], windows: ['rules'], apply: ['.', 'rules', 'parse', 'windows'] },
  },
  connectors: {
    imports: ['lib', 'model', 'catalog', 'ledger', 'ingest'],
    parts: {
      records: [],
      framework: ['records'],
      streams: ['framework'],
      series: ['records', 'streams'],
      fetch: [],
      sync: ['fetch'],
      csv: ['records', 'framework', 'streams', 'series'],
      imdb: ['records', 'framework', 'streams', 'series'],
      'media-actions': ['records', 'framework', 'streams', 'series'],
      'top-10': ['records', 'framework', 'streams'],
      'tv-search-feed': ['records', 'framework', 'streams', 'series'],
      tmdb: ['records', 'fetch', 'sync'],
      v4: ['records', 'fetch', 'sync'],
      schedule: ['.', 'framework', 'fetch'],
    },
  },
  accounts: {
    imports: ['lib', 'model'],
    parts: {
      store: [],
      plans: ['store'],
      keys: ['store', 'plans'],
      metering: ['store', 'plans', 'keys'],
      usage: ['store'],
      people: ['store', 'plans', 'keys', 'metering'],
      postgres: ['.', 'store'],
    },
  },
  http: {
    imports: ['lib', 'model', 'catalog', 'query', 'render', 'accounts'],
    parts: {
      exchange: [],
      request: ['exchange'],
      response: ['exchange'],
      observe: ['exchange', 'response'],
      api: ['exchange', 'request', 'response', 'observe'],
      site: ['exchange', 'request', 'response', 'api'],
      'fast-path': ['exchange', 'api'],
      platform: ['exchange', 'request', 'response'],
    },
  },
  demo: {
    imports: ['lib', 'model', 'catalog', 'ledger', 'ingest'],
    parts: {
      data: [],
      market: ['.', 'data'],
      artwork: ['.', 'market'],
      shows: ['.', 'data', 'market'],
      history: ['.', 'market', 'shows'],
    },
  },
  runtime: { imports: ['lib', 'model', 'catalog', 'ledger', 'ingest', 'accounts'] },
  commands: {
    imports: [
      'lib',
      'model',
      'catalog',
      'query',
      'render',
      'ledger',
      'ingest',
      'connectors',
      'accounts',
      'http',
      'demo',
      'runtime',
    ],
    parts: {
      terminal: [],
      accounts: ['terminal'],
      catalog: ['terminal'],
      sync: ['terminal'],
      feeds: ['terminal', 'sync'],
      service: ['terminal', 'feeds'],
    },
  },
  serving: {
    imports: [
      'lib',
      'model',
      'catalog',
      'query',
      'render',
      'ledger',
      'ingest',
      'connectors',
      'accounts',
      'http',
      'demo',
      'runtime',
    ],
    parts: {
      metrics: [],
      startup: [],
      cluster: ['metrics', 'startup'],
      maintenance: ['metrics', 'startup', 'cluster'],
    },
  },
}

/** The layers that know everything, beside the files directly in `server/src`. No other layer imports them. */
export const COMPOSITION_ROOT = ['runtime', 'commands', 'serving']
