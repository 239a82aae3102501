import { describe, expect, it } from 'vitest'
import { decodeTitleSegment, encodeTitleSegment } from '../artwork-url.ts'
import { demoFeed } from '../demo-feed.ts'
import { drawArtwork } from './draw-artwork.ts'
import { rasterize } from './rasterize.ts'

function render(path: string): Buffer {
  const artwork = drawArtwork(path)
  expect(artwork?.isRaster).toBe(true)
  return rasterize(artwork?.body ?? '')
}

/** Width and height of a PNG image. */
function pngSize(png: Buffer): [width: number, height: number] {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

const poster = (title: string) => `/artwork/1001-drama/vertical-poster/w240/${encodeTitleSegment(title)}.png`

describe('PNG posters', () => {
  it('have the pixels that the path asks for', () => {
    expect(pngSize(render(poster('The Godfather')))).toEqual([240, 360])
    expect(pngSize(render('/artwork/1001-crime/horizontal-backdrop/w360.png'))).toEqual([360, 203])
    expect(pngSize(render('/artwork/1001-crime/horizontal-poster/w1440/Alien.png'))).toEqual([1440, 810])
  })

  it('are the same to the byte for the same path, and show the title', () => {
    expect(render(poster('Alien'))).toEqual(render(poster('Alien')))
    expect(render(poster('Alien'))).not.toEqual(render(poster('Jaws')))
  })

  it('are small', () => {
    for (const genre of ['drama', 'comedy', 'scifi', 'crime', 'horror', 'animation']) {
      const png = render(`/artwork/77-${genre}/vertical-poster/w720/A%20Rather%20Long%20Title.png`)
      expect(png.length).toBeLessThan(200_000)
    }
  })

  it('have a glyph for every character of every title of the demo', () => {
    const options = { shows: 600, seed: 1, countries: 1, at: 1_760_000_000, baseUrl: 'https://demo.example' }
    const characters = new Set<string>()
    for (const record of demoFeed(options)) {
      if (record.kind !== 'show') continue
      for (const set of [record.imageSet, ...Object.values(record.translations).map(({ imageSet }) => imageSet)]) {
        if (set === undefined) continue
        const file = set.verticalPoster.w240.split('/').at(-1) ?? ''
        for (const character of decodeTitleSegment(file.slice(0, -'.png'.length))) characters.add(character)
      }
    }
    characters.delete(' ')
    expect(characters.size).toBeGreaterThan(500)
    const draw = (character: string) =>
      rasterize(
        `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><text y="16" font-size="16" font-weight="700" font-family="serif">${character.replace('&', '&amp;')}</text></svg>`,
      )
    const empty = draw(' ')
    expect([...characters].filter((character) => draw(character).equals(empty))).toEqual([])
  })
})
