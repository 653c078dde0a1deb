import { beforeEach, expect, it, vi } from 'vitest'
import { readPdfPage } from '../../test/support/pdf-pages.ts'

// pdf.js warns of fonts, which reading text does not need; the product drops the output of its thread
beforeEach(() => void vi.spyOn(console, 'log').mockReturnValue())
beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

/** Reads a page of Helvetica, whose i is 2.22 points wide. The code 1 is a soft hyphen. */
const readPage = (content: string) =>
  readPdfPage(
    content,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [1 /uni00AD] >> >>',
  )
const draw = (text: string, x: number, y = 700) => `BT /F 10 Tf ${x} ${y} Td (${text}) Tj ET\n`
const clip = (content: string, box: string) => `q ${box} re W n ${content} Q\n`

const widths: Record<string, number> = { T: 6.11, o: 5.56, a: 5.56, m: 8.33, e: 5.56, 1: 5.56 }
const drawLetters = (text: string, shift: number) => {
  let x = 50
  return Array.from(text, (letter) => {
    const drawn = draw(letter, x) + draw(letter, x + shift)
    x += widths[letter] ?? 2.78
    if ('il'.includes(letter)) x -= 0.56
    return drawn
  }).join('')
}

it.each([0.25, 0.5, 0.9])('letters that are drawn twice, %f points apart, are read once', async (shift) => {
  expect(await readPage(drawLetters('Till Total, 1,111.11 mile', shift))).toBe('Till Total, 1,111.11 mile')
})

it('letters of another text that happen to stand in the same place are read', async () => {
  const both = await readPage(draw('lamp', 50) + draw('last', 50.1))
  expect(both.replaceAll(/\s/g, '').split('').toSorted().join('')).toBe('aallmpst')
})

it.each([
  ['a rectangle', (content: string) => clip(content, '50 695 40 14')],
  ['two of them', (content: string) => clip(clip(content, '50 0 40 900'), '0 695 600 14')],
  [
    'a scaled one',
    (content: string) => `q 2 0 0 2 0 0 cm 25 347.5 20 7 re W n .5 0 0 .5 0 0 cm ${content} Q\n`,
  ],
])('what %s hides is marked, and does not run into the next cell', async (_, cut) => {
  const row = (text: string, number: string, y: number) =>
    cut(draw(text, 52, y))
      .replaceAll('695', String(y - 5))
      .replace('347.5', String((y - 5) / 2)) + draw(number, 100, y)
  const page = row('Lease dated 2016', '1074935', 700) + row('Fee', '17', 680) + row('Rent', '5', 660)
  expect(await readPage(page)).toBe('Lease d\t1074935\nFee\t17\nRent\t5\n\n[hidden: ated 2016]')
})

it('a clip that ended, one that nothing crosses and one that hides the whole page hide nothing', async () => {
  expect(await readPage(clip('', '50 695 40 14') + draw('whole sentence of a page', 52))).toBe(
    'whole sentence of a page',
  )
  expect(await readPage(clip(draw('inside', 52), '50 695 400 14'))).toBe('inside')
  expect(await readPage(clip(draw('all of it', 52), '300 300 10 10'))).toBe('all of it')
})

it('a word that a soft hyphen divides is one word, and other hyphens stay', async () => {
  expect(
    await readPage(
      draw('of inter\\001', 50) + draw('national well-', 50, 688) + draw('known firms', 50, 676),
    ),
  ).toBe('of international well-\nknown firms')
})

it.each([
  ['outer first', (inner: string, outer: string) => `${outer} ${inner}`],
  ['inner first', (inner: string, outer: string) => `${inner} ${outer}`],
])('borders that are drawn as rings divide cells, %s', async (_, order) => {
  const cell = (text: string, x: number, y: number) => {
    const ring = order(`${x} ${y} 44 20 re`, `${x - 1} ${y - 1} 46 22 re`)
    return `${ring} f*\n${draw(text, x + 1, y + 6)}`
  }
  const rows = [700, 678].map((y, row) =>
    ['Menge', 'Preis'].map((text, at) => cell(text + row, 50 + at * 46, y)),
  )
  expect(await readPage(rows.flat().join(''))).toBe('Menge0\tPreis0\nMenge1\tPreis1')
})
