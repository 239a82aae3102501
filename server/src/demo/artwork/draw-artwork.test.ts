import { describe, expect, it } from 'vitest'
import { decodeTitleSegment, encodeTitleSegment } from '../artwork-url.ts'
import { drawArtwork } from './draw-artwork.ts'

const svg = (path: string) => {
  const artwork = drawArtwork(path)
  expect(artwork?.contentType).toBe('image/svg+xml')
  return artwork?.body ?? ''
}

describe('titles in paths', () => {
  it('are decoded as they were encoded, in every script', () => {
    for (const title of [
      'The Godfather',
      '千と千尋の神隠し',
      'ロード・オブ・ザ・リング',
      '100% Wolf',
      '~',
      "L'Île & <b>",
      '🎬 "q"',
    ]) {
      expect(decodeTitleSegment(encodeTitleSegment(title))).toBe(title)
      expect(encodeTitleSegment(title).length).toBeLessThanOrEqual(80)
      expect(encodeTitleSegment(title)).not.toContain('/')
    }
  })

  it('are truncated if they are too long, and never contain a slash', () => {
    const cut = decodeTitleSegment(encodeTitleSegment('カ'.repeat(60)))
    expect(cut).toMatch(/^カ{10,}…$/)
    expect(decodeTitleSegment(encodeTitleSegment('Face/Off'))).toBe('Face⁄Off')
  })
})

describe('posters', () => {
  it('have the pixels that the path asks for, in the right shape', () => {
    expect(svg('/artwork/238-crime/vertical-poster/w360/The%20Godfather.svg')).toContain('width="360" height="540"')
    expect(svg('/artwork/238-crime/horizontal-poster/w1440/The%20Godfather.svg')).toContain('width="1440" height="810"')
  })

  it('show the title, and backdrops show none', () => {
    expect(svg('/artwork/238-crime/vertical-poster/w360/Alien.svg')).toContain('>Alien</text>')
    expect(svg('/artwork/238-crime/vertical-backdrop/w360.svg')).not.toContain('<text')
  })

  it('are PNG images if the path says so, drawn alike', () => {
    const path = '/artwork/238-crime/vertical-poster/w360/Alien'
    expect(drawArtwork(`${path}.png`)).toEqual({ ...drawArtwork(`${path}.svg`), isRaster: true })
    expect(drawArtwork('/artwork/238-crime/vertical-backdrop/w360.png')?.isRaster).toBe(true)
  })

  it('stay small for every genre and id', () => {
    for (let id = 1; id < 60; id++) {
      for (const genre of ['drama', 'comedy', 'scifi', 'crime', 'horror', 'animation']) {
        for (const path of [
          'vertical-poster/w720/A%20Rather%20Long%20Title%20of%20Several%20Words.svg',
          'horizontal-backdrop/w1440.svg',
        ]) {
          expect(Buffer.byteLength(svg(`/artwork/${id}-${genre}/${path}`))).toBeLessThan(6_144)
        }
      }
    }
  })

  it('escape everything that the path contains', () => {
    const hostile = encodeURIComponent('<script>alert("x")</script>&\u0000\u001b\ud83d\ude00')
    const body = svg(`/artwork/1-drama/vertical-poster/w240/${hostile}.svg`)
    expect(body).not.toContain('<script')
    expect(body).toContain('&lt;script&gt;')
    expect(body).not.toContain('\u0000')
    expect(drawArtwork(`/watch/netflix/us/1/${hostile}`)?.body).not.toContain('<script')
  })

  it('accept a path that is decoded already', () => {
    expect(svg('/artwork/1-drama/vertical-poster/w240/100% Wolf.svg')).toContain('100% Wolf')
  })
})

describe('logos', () => {
  it('exist for services, services in one country, and addons, in three themes', () => {
    expect(svg('/artwork/logo/netflix/light.svg')).toContain('>Netflix</text>')
    expect(svg('/artwork/logo/now.de/dark.svg')).toContain('>WOW</text>')
    expect(svg('/artwork/logo/prime/starzaddon/white.svg')).toContain('>STARZ</text>')
  })
})

describe('pages', () => {
  it('name the service, the title and the episode, and state that the link is invented', () => {
    const page = drawArtwork('/watch/netflix/us/5001/s1e3/Breaking%20Bad')
    expect(page?.contentType).toBe('text/html; charset=utf-8')
    for (const text of ['Netflix', 'Breaking Bad', 'Season 1, episode 3', 'United States', 'invented']) {
      expect(page?.body).toContain(text)
    }
    expect(page?.body).not.toContain('<script')
    expect(drawArtwork('/watch/netflix/us/5001/Breaking%20Bad/play')?.body).toContain('video link')
    expect(drawArtwork('/watch/prime/addon/starzaddon')?.body).toContain('through Prime Video')
    expect(drawArtwork('/watch/netflix')?.body).toContain('home page')
  })
})

describe('unknown paths', () => {
  it('give undefined', () => {
    for (const path of [
      '',
      '/',
      '/artwork',
      '/artwork/',
      '/artwork/238-crime/vertical-poster/w360',
      '/artwork/238-crime/vertical-poster/w361/A.svg',
      '/artwork/238-crime/horizontal-poster/w240/A.svg',
      '/artwork/238-nonsense/vertical-poster/w360/A.svg',
      '/artwork/x-crime/vertical-poster/w360/A.svg',
      '/artwork/238-crime/vertical-backdrop/w360/A.svg',
      '/artwork/238-crime/vertical-poster/w360/%20.svg',
      '/artwork/238-crime/vertical-poster/w360/.png',
      '/artwork/238-crime/vertical-poster/w360/A.jpg',
      '/artwork/logo/netflix/light.png',
      '/artwork/logo/nobody/light.svg',
      '/artwork/logo/netflix/blue.svg',
      '/artwork/logo/prime/nothing/light.svg',
      '/artwork/logo/constructor/light.svg',
      '/watch/nobody',
      '/watch/netflix/zz',
      '/watch/netflix/us/x/A',
      '/watch/netflix/us/1',
      '/watch/netflix/us/1/A/stop',
      '/watch/netflix/us/1/s1e1/A/play/more',
      '/other/netflix',
    ]) {
      expect(drawArtwork(path), path).toBeUndefined()
    }
  })
})
