import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { limitCpuTimeAsync } from '../../test/support/fuzz.ts'
import { countPdfPictures } from './count-pdf-pictures.ts'

const count = (content: string) => countPdfPictures(Buffer.from(content, 'latin1'))
const picture = (id: number, more = '') =>
  `${id} 0 obj\n<</Type/XObject/Subtype /Image${more}>>\nstream\nx\nendstream\nendobj\n`

it.each([
  ['none', '1 0 obj\n<</Type/Page>>\nendobj', 0],
  ['two', picture(1) + picture(2), 2],
  ['one that was written again', picture(1) + picture(1), 1],
  ['one with a mask', picture(1, '/SMask 2 0 R') + picture(2), 1],
  ['one with a mask of another kind', picture(1, '/Mask 2 0 R') + picture(2), 1],
  ['one with a mask of colours', picture(1, '/Mask [2 0]') + picture(2), 2],
  [
    'those whose names a program divided otherwise',
    '7  0  obj\n<</Subtype/Image>>\n8 0 obj\n<</Subtype    /Image>>',
    2,
  ],
  ['what is no object', '<</Subtype /Image>>', 0],
  ['no masks of what follows', picture(1) + '3 0 obj <</SMask 1 0 R>>', 1],
  [
    'as many as documents have',
    Array.from({ length: 10_001 }, (_, index) => `${index} 0 obj/Subtype/Image stream`).join(' '),
    10_000,
  ],
  ['the word only', '1 0 obj\n<</Resource[/ImageB /ImageC]>>\nendobj', 0],
])('counts %s', (_, content, pictures) => {
  expect(count(content)).toBe(pictures)
})

it('counts the picture of a file of another program, which is on three pages', () => {
  const bytes = readFileSync(new URL('../../test/fixtures/files/pdf/scanned-pages.pdf', import.meta.url))
  expect(countPdfPictures(bytes)).toBe(1)
})

it.each(['/Image', '/Subtype /Image', '1 0 obj/Subtype/Image', '1 0 obj '])(
  'takes linear time for many of %s',
  async (piece) => {
    const counting = limitCpuTimeAsync(async () => count(piece.repeat(50_000)), 5_000)
    await expect(counting).resolves.toBeLessThan(2)
  },
)
