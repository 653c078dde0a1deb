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

it.each([
  ['an SVG with a script', base64('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
  ['text that was called .png', base64('hello')],
  ['an animated GIF', base64('GIF89a')],
  ['nothing', ''],
  ['too much', base64('\xff\xd8\xff\xe0', Buffer.alloc(60_000))],
])('SET-05 refuses %s', (_, data) => {
  expect(() => pictureOf(data)).toThrow(expect.objectContaining({ code: 'not_a_picture', status: 400 }))
})
