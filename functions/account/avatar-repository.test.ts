import { expect, it } from 'vitest'
import { parseAvatar } from './avatar-repository.ts'
import { webpOf } from '../../test/support/webp-of.ts'

const base64 = (...parts: (string | Buffer)[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  ).toString('base64')

it('SET-05 DEC-034 recognises WebP and JPEG by their first bytes', () => {
  expect(parseAvatar(base64(webpOf(['VP8 ', '']))).type).toBe('image/webp')
  expect(parseAvatar(base64('\xff\xd8\xff\xd9')).type).toBe('image/jpeg')
})

it('DEC-034 accepts at most 60 kB', () => {
  const jpeg = (bytes: number) => base64('\xff\xd8\xff\xda\0\x02', Buffer.alloc(bytes - 6))
  expect(parseAvatar(jpeg(60_000)).bytes).toHaveLength(60_000)
  expect(() => parseAvatar(jpeg(60_001))).toThrow('a picture of 60001 bytes')
})

it.each([
  ['a WAV file', base64('RIFF\0\0\0\0WAVE')],
  ['half of a WebP signature', base64('RIFX\0\0\0\0WEBP')],
  ['an SVG with a script', base64('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
  ['plain text', base64('hello')],
  ['an animated GIF', base64('GIF89a')],
  ['nothing', ''],
  ['a JPEG that ends in a segment', base64('\xff\xd8\xff\xe0\0\x10JFIF')],
  ['a WebP that ends in a chunk', base64(webpOf(['VP8 ', Buffer.alloc(100)]).subarray(0, 60))],
  ['a picture that is too large', base64('\xff\xd8\xff\xe0', Buffer.alloc(60_000))],
])('SET-05 refuses %s', (_, data) => {
  expect(() => parseAvatar(data)).toThrow(
    expect.objectContaining({
      code: 'not_a_picture',
      status: 400,
      userMessage: 'This is not a picture that can be used. Please choose another one.',
    }),
  )
})
