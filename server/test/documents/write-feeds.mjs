import { writeFileSync } from 'node:fs'

/* Writes the small feeds that the commands of the pages name into the current folder. */

const offers = (name) =>
  ['subscription', 'rent', 'buy'].map((type) => ({
    service: 'acme',
    type,
    link: `https://acme.example/${name}/${type}`,
    ...(type === 'subscription' ? {} : { price: { amount: '3.99', currency: 'USD' } }),
  }))
const poster = (widths) => Object.fromEntries(widths.map((width) => [`w${width}`, 'https://img.example/poster.jpg']))
const imageSet = {
  verticalPoster: poster([240, 360, 480, 600, 720]),
  horizontalPoster: poster([360, 480, 720, 1080, 1440]),
}
const movie = (name, title, imdbId) => ({
  kind: 'show',
  showType: 'movie',
  imdbId,
  title,
  releaseYear: 1995,
  imageSet,
  streamingOptions: { us: offers(name) },
})
const service = {
  kind: 'service',
  id: 'acme',
  name: 'Acme TV',
  streamingOptionTypes: { subscription: true, rent: true, buy: true },
}
const head = [{ kind: 'feed', source: 'acme', mode: 'snapshot' }, service]
const heat = movie('heat', 'Heat', 'tt0113277')
const casino = movie('casino', 'Casino', 'tt0112641')
write('acme.ndjson', [...head, heat, casino])
write('smaller.ndjson', [...head, heat])
write('delta.ndjson', [
  { kind: 'feed', source: 'acme', mode: 'delta' },
  { kind: 'remove', imdbId: casino.imdbId },
])

// A movie of the demo gets an offer that it had not.
write('news.ndjson', [{ kind: 'feed', source: 'acme', mode: 'delta' }, service, heat])

const romeo = (recordId, runtime, people) => ({
  kind: 'show',
  showType: 'movie',
  recordId,
  title: 'Romeo and Juliet',
  releaseYear: 2021,
  runtime,
  ...people,
})
write('netflix.ndjson', [
  { kind: 'feed', source: 'netflix', mode: 'snapshot' },
  romeo('s17', 96, { directors: ['Simon Godwin'], cast: ['Josh O’Connor', 'Jessie Buckley'] }),
])
write('hulu.ndjson', [
  { kind: 'feed', source: 'hulu', mode: 'snapshot' },
  romeo('h4', 96, {}),
  romeo('h9', 61, { directors: ['Ada Lindqvist'], cast: ['Ivo Brandt', 'Mina Castell'] }),
])

function write(name, records) {
  writeFileSync(name, `${records.map((record) => JSON.stringify(record)).join('\n')}\n`)
}
