import { expect, it } from 'vitest'
import { pngOf } from '../../test/support/png-of.ts'
import { webpOf } from '../../test/support/webp-of.ts'
import { readJpegFacts } from '#shared/jpeg-facts.ts'
import { removeMetadata } from './remove-metadata.ts'

const secret = 'At home, 48.2082 N 16.3738 E'

/** EXIF as cameras write it: an orientation, and a text that says where. */
function exifOf(orientation: number, isLittleEndian = true): Buffer {
  const tiff = Buffer.alloc(26)
  const view = new DataView(tiff.buffer, tiff.byteOffset)
  tiff.write(isLittleEndian ? 'II' : 'MM')
  view.setUint16(2, 42, isLittleEndian)
  view.setUint32(4, 8, isLittleEndian)
  view.setUint16(8, 1, isLittleEndian)
  view.setUint16(10, 0x0112, isLittleEndian)
  view.setUint16(12, 3, isLittleEndian)
  view.setUint32(14, 1, isLittleEndian)
  view.setUint16(18, orientation, isLittleEndian)
  return Buffer.concat([tiff, Buffer.from(secret)])
}

const segment = (marker: number, content: Buffer | string) =>
  Buffer.concat([
    Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 0xff]),
    Buffer.from(content),
  ])
const start = Buffer.from([0xff, 0xd8])
const end = Buffer.from([0xff, 0xd9])
const jfif = segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1'))
const profile = segment(0xe2, 'ICC_PROFILE\0sRGB')
const adobe = segment(0xee, 'Adobe\0d')
const frame = segment(0xc2, Buffer.from([8, 0, 40, 1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0]))
/** with a stuffed byte, a restart, and what looks like a segment in the data of a scan */
const scan = Buffer.concat([segment(0xda, '\x01'), Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3, 0xff, 0xff])])
const exifSegment = (tiff: Buffer) => segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff]))

const jpegOf = (...parts: Buffer[]) => Buffer.concat([start, ...parts])
const plainJpeg = jpegOf(jfif, profile, adobe, frame, scan, segment(0xc4, 'tables'), scan, end)

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('latin1')

it('leaves of a JPEG its pixels, how they are coloured, and nothing else', () => {
  const thumbnail = segment(
    0xe0,
    Buffer.concat([Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\x09\x01', 'latin1'), Buffer.from(secret)]),
  )
  const noisy = jpegOf(
    thumbnail,
    segment(0xe0, `JFXX\0${secret}`),
    exifSegment(exifOf(1)),
    segment(0xe1, `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${secret}`),
    profile,
    segment(0xe2, `MPF\0${secret}`),
    segment(0xed, `Photoshop 3.0\0${secret}`),
    adobe,
    segment(0xfe, secret),
    Buffer.from([0xff]),
    frame,
    scan,
    segment(0xfe, secret),
    segment(0xc4, 'tables'),
    segment(0xe5, secret),
    scan,
    end,
    // a second image, or a film
    Buffer.from(secret),
  )
  expect(removeMetadata(noisy, 'image/jpeg')).toEqual(new Uint8Array(plainJpeg))
  expect(removeMetadata(plainJpeg, 'image/jpeg')).toEqual(new Uint8Array(plainJpeg))
})

it.each([
  ['little-endian', jpegOf(jfif, exifSegment(exifOf(6)), frame, scan, end)],
  ['big-endian, without JFIF', jpegOf(exifSegment(exifOf(6, false)), frame, scan, end)],
])('leaves of EXIF how a JPEG is turned: %s', (_, bytes) => {
  const cleaned = removeMetadata(bytes, 'image/jpeg') ?? new Uint8Array()
  expect(text(cleaned)).not.toContain('home')
  expect(readJpegFacts(cleaned)).toMatchObject({ orientation: 6, width: 256, height: 40 })
  expect(removeMetadata(cleaned, 'image/jpeg')).toEqual(cleaned)
})

it('leaves a JPEG that is cut off behind the beginning of its pixels as it is', () => {
  const cut = plainJpeg.subarray(0, -3)
  expect(removeMetadata(cut, 'image/jpeg')).toEqual(new Uint8Array(cut))
})

it('leaves of a PNG its pixels and their colours', () => {
  const colours = { gAMA: 'gama', iCCP: 'profile', tRNS: 'x' }
  const noisy = {
    ...colours,
    tEXt: secret,
    zTXt: secret,
    iTXt: secret,
    eXIf: secret,
    tIME: secret,
    prVt: secret,
  }
  const bytes = Buffer.concat([pngOf(8, 8, noisy), Buffer.from(secret)])
  expect(removeMetadata(bytes, 'image/png')).toEqual(new Uint8Array(pngOf(8, 8, colours)))
  const turned = removeMetadata(pngOf(8, 8, { eXIf: exifOf(3).toString('latin1') }), 'image/png')
  expect(text(turned)).toContain('eXIf')
  expect(text(turned)).not.toContain('home')
  expect(removeMetadata(turned ?? new Uint8Array(), 'image/png')).toEqual(turned)
})

it('leaves of a WebP its pixels and their colours', () => {
  const extended = (flags: number) => Buffer.from([flags, 0, 0, 0, 255, 0, 0, 39, 0, 0])
  const pixels = ['VP8 ', 'odd'] as const
  const plain = webpOf(['VP8X', extended(0x20)], ['ICCP', 'profile'], pixels)
  const noisy = webpOf(
    ['VP8X', extended(0x2c)],
    ['ICCP', 'profile'],
    pixels,
    ['EXIF', exifOf(1)],
    ['XMP ', secret],
    ['NOTE', secret],
  )
  expect(removeMetadata(Buffer.concat([noisy, Buffer.from(secret)]), 'image/webp')).toEqual(
    new Uint8Array(plain),
  )
  for (const prefix of ['', 'Exif\0\0']) {
    const exif = Buffer.concat([Buffer.from(prefix), exifOf(8)])
    const turned = removeMetadata(webpOf(['VP8X', extended(0x08)], pixels, ['EXIF', exif]), 'image/webp')
    expect(text(turned)).toContain('EXIF')
    expect(text(turned)).not.toContain('home')
    expect(turned?.[20]).toBe(0x08)
    expect(removeMetadata(turned ?? new Uint8Array(), 'image/webp')).toEqual(turned)
  }
  // a simple WebP cannot have any
  expect(removeMetadata(webpOf(pixels, ['EXIF', exifOf(8)]), 'image/webp')).toEqual(
    new Uint8Array(webpOf(pixels)),
  )
})

it('refuses what ends too early, wherever it ends', () => {
  const whole = {
    'image/png': pngOf(8, 8, { tEXt: secret }),
    'image/jpeg': jpegOf(jfif, exifSegment(exifOf(6)), frame, scan, end),
    'image/webp': webpOf(['VP8X', Buffer.alloc(10)], ['VP8 ', 'pixels'], ['EXIF', exifOf(6)]),
  } as const
  for (const [type, bytes] of Object.entries(whole))
    for (let length = 12; length < bytes.length; length += 1) {
      const cleaned = removeMetadata(bytes.subarray(0, length), type as keyof typeof whole)
      expect(text(cleaned)).not.toContain('home')
    }
  const { 'image/png': png } = whole
  for (let length = 12; length < png.length; length += 1)
    expect(removeMetadata(png.subarray(0, length), 'image/png')).toBeUndefined()
})
