import { join } from 'node:path'
import fc from 'fast-check'
import { open } from 'lmdb'
import { describe, expect, it } from 'vitest'
import { anyImageSet, anyUrl } from '../../../test/support/image-sets.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { HORIZONTAL_WIDTHS, type ShowImageSet, VERTICAL_WIDTHS } from '../../model/show.ts'
import { ByteReader, ByteWriter } from '../storage/byte-stream.ts'
import { Dictionary } from '../storage/dictionary.ts'
import { decodeImageSet, encodeImageSet, LinkReader, LinkWriter } from './url-codec.ts'

describe('links', () => {
  it('round-trip, whatever prefixes and suffixes they share', () => {
    const root = open({ path: join(temporaryFolder(), 'links'), encoding: 'binary' })
    const dictionary = new Dictionary(
      root.openDB('numbers', { encoding: 'ordered-binary' }),
      root.openDB('texts', { encoding: 'json', keyEncoding: 'uint32' }),
    )
    const offer = fc.record({ link: anyUrl, videoLink: anyUrl, service: fc.constantFrom('a', 'b') })
    fc.assert(
      fc.property(fc.array(offer, { maxLength: 8 }), (offers) => {
        const out = new ByteWriter()
        const writer = new LinkWriter()
        root.transactionSync(() => {
          for (const { link, videoLink, service } of offers) {
            writer.write(out, link, service, 'us', dictionary)
            writer.writeRelative(out, videoLink)
          }
        })
        const input = new ByteReader(out.toBuffer())
        const [link, videoLink] = [new LinkReader(), new LinkReader()]
        const read = offers.map(() => {
          link.read(input, dictionary)
          videoLink.readRelative(input, link)
          return [link.text(), videoLink.text()]
        })
        expect(read).toEqual(offers.map((one) => [one.link, one.videoLink]))
      }),
    )
  })
})

describe('image sets', () => {
  it('round-trip, whatever prefixes and suffixes they share', () => {
    fc.assert(
      fc.property(anyImageSet, (images) => {
        const out = new ByteWriter()
        encodeImageSet(out, images)
        expect(decodeImageSet(out.toBuffer())).toEqual(images)
      }),
    )
  })

  it('take little where they differ in their widths only', () => {
    const out = new ByteWriter()
    const poster = (widths: readonly string[]) =>
      Object.fromEntries(widths.map((width) => [width, `https://images.example/posters/${width}/1234567890.jpg`]))
    encodeImageSet(out, {
      verticalPoster: poster(VERTICAL_WIDTHS),
      horizontalPoster: poster(HORIZONTAL_WIDTHS),
    } as unknown as ShowImageSet)
    expect(out.position).toBeLessThan(80)
  })
})
