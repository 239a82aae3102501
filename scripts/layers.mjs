/**
 * The layers of `server/src` from the bottom up: what each may import, and the arrows between its parts. A layer without
 * `parts` is one folder, or its parts are independent of each other's order. Files directly in a layer's folder may
 * import all parts of it.
 */
export const LAYERS = {
  lib: { imports: [] },
  model: { imports: [] },
  catalog: { imports: ['lib', 'model'] },
  query: { imports: ['lib', 'model', 'catalog'] },
  render: { imports: ['lib', 'model', 'catalog', 'query'] },
  ledger: { imports: ['lib', 'model', 'catalog'] },
  ingest: { imports: ['lib', 'model', 'catalog', 'ledger'] },
  connectors: { imports: ['lib', 'model', 'catalog', 'ledger', 'ingest'] },
  doctor: { imports: ['lib', 'model', 'catalog', 'connectors'] },
  accounts: { imports: ['lib', 'model'] },
  http: { imports: ['lib', 'model', 'catalog', 'query', 'render', 'accounts'] },
  demo: { imports: ['lib', 'model', 'catalog', 'ledger', 'ingest'] },
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
      'doctor',
      'accounts',
      'http',
      'demo',
      'runtime',
    ],
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
      'doctor',
      'accounts',
      'http',
      'demo',
      'runtime',
    ],
  },
}

/** The layers that know everything, beside the files directly in `server/src`. No other layer imports them. */
export const COMPOSITION_ROOT = ['runtime', 'commands', 'serving']
