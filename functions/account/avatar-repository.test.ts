import { expect, it } from 'vitest'
import { pictureOf } from './picture.ts'

const base64 = (...parts: (string | Buffer)[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  ).toString('base64')

it('SET-05 DEC-034 takes WebP and JPEG by their first bytes', () => {
  expect(pictureOf(base64('RIFF\0\0\0\0WEBPVP8 ')).type).toBe('image/webp')
  expect(pictureOf(base64('\xff\xd8\xff\xe0')).type).toBe('image/jpeg')
})

it('DEC-034 takes 60 kB and no byte more', () => {
  const jpeg = (bytes: number) => base64('\xff\xd8\xff', Buffer.alloc(bytes - 3))
  expect(pictureOf(jpeg(60_000)).bytes).toHaveLength(60_000)
  expect(() => pictureOf(jpeg(60_001))).toThrow('a picture of 60001 bytes')
})

it.each([
  ['a sound', base64('RIFF\0\0\0\0WAVE')],
  ['only the end of a WebP’s beginning', base64('RIFX\0\0\0\0WEBP')],
  ['an SVG with a script', base64('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
  ['text that was called .png', base64('hello')],
  ['an animated GIF', base64('GIF89a')],
  ['nothing', ''],
  ['too much', base64('\xff\xd8\xff\xe0', Buffer.alloc(60_000))],
])('SET-05 refuses %s', (_, data) => {
  expect(() => pictureOf(data)).toThrow(
    expect.objectContaining({
      code: 'not_a_picture',
      status: 400,
      sentence: 'This is not a picture that can be used. Please choose another one.',
    }),
  )
})
