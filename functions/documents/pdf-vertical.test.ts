import { beforeEach, describe, expect, it, vi } from 'vitest'
import { formatPage, readPdfPage } from '../../test/support/pdf-pages.ts'
import type { TextItem } from './pdf-pieces.ts'

// pdf.js warns of fonts, which reading text does not need; the product drops the output of its thread
beforeEach(() => void vi.spyOn(console, 'log').mockReturnValue())
beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

const columns = ['縦書きの日本語テキストです。', '右から左へ列が進みます。', '三列目の文章はここにある。']

/** A page in the encoding of a Japanese font. */
const readPage = (encoding: string, content: string) =>
  readPdfPage(
    content,
    `<< /Type /Font /Subtype /Type0 /BaseFont /KozMinPro-Regular /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
    {
      fonts: '/L 7 0 R',
      more: [
        '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /KozMinPro-Regular /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 4 >> /FontDescriptor << /Type /FontDescriptor /FontName /KozMinPro-Regular /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >> >>',
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      ],
    },
  )
const draw = (text: string, x: number, y: number) => {
  const codes = Array.from(text, (letter) => letter.charCodeAt(0).toString(16).padStart(4, '0'))
  return `BT /F 12 Tf ${x} ${y} Td <${codes.join('')}> Tj ET\n`
}
const drawLatin = (text: string, x: number, y: number) => `BT /L 12 Tf ${x} ${y} Td (${text}) Tj ET\n`

describe('columns of vertical writing are read from the right', () => {
  it.each([
    ['right', columns],
    ['left', columns.toReversed()],
  ])('by a font that writes downwards, drawn from the %s', async (side, drawn) => {
    const content = drawn.map((text, index) =>
      draw(text, side === 'right' ? 500 - 20 * index : 460 + 20 * index, 700),
    )
    expect(await readPage('UniJIS-UCS2-V', content.join(''))).toBe(columns.join('\n'))
  })

  it.each([12, 14])('drawn letter by letter, %i points below each other', async (step) => {
    const content = columns.flatMap((text, index) =>
      Array.from(text, (letter, row) => draw(letter, 500 - 20 * index, 700 - step * row)),
    )
    expect(await readPage('UniJIS-UCS2-H', content.join(''))).toBe(columns.join('\n'))
  })

  it('in two parts of a page, between its title and its number', async () => {
    const part = (y: number) => columns.map((text, index) => draw(text, 500 - 20 * index, y)).join('')
    const text = await readPage(
      'UniJIS-UCS2-V',
      drawLatin('12', 300, 50) + part(400) + part(700) + drawLatin('Title', 72, 750),
    )
    expect(text).toBe(['Title', ...columns, ...columns, '12'].join('\n'))
  })
})

it('cells of one letter are no vertical writing', async () => {
  const names = ['山田太郎さん', '鈴木花子さん', '佐藤一郎さん', '高橋美咲さん', '伊藤健二さん']
  const content =
    ['男', '女', '男', '女', '男'].map((letter, row) => draw(letter, 300, 700 - 15 * row)).join('') +
    names.map((name, row) => draw(name, 100, 700 - 15 * row)).join('')
  expect(await readPage('UniJIS-UCS2-H', content)).toBe(
    names.map((name, row) => `${name}\t${row % 2 === 0 ? '男' : '女'}`).join('\n'),
  )
})

it('joins the parts of a column, and puts its address behind it', () => {
  const part = (str: string, x: number, y: number): TextItem => ({
    str,
    transform: [10, 0, 0, 10, x, y],
    width: 10,
    height: str.length * 10,
    dir: 'ttb',
  })
  const items = [
    part('契約は', 300, 700),
    part('二年', 300, 665),
    part('です', 300, 632),
    part('以上', 280, 700),
  ]
  const links = [{ rect: [295, 660, 305, 700], url: 'https://a.example/x' }]
  expect(formatPage(items, { links })).toBe('契約は二年\u3000です (https://a.example/x)\n以上')
})

it('reads a text at the upper end of a column once, above it', () => {
  const title: TextItem = { str: 'Page 3', transform: [10, 0, 0, 10, 50, 700], width: 30, height: 10 }
  const column: TextItem = {
    ...title,
    str: '契約は二年',
    transform: [10, 0, 0, 10, 300, 700],
    width: 10,
    dir: 'ttb',
  }
  expect(formatPage([title, { ...column, height: 50 }])).toBe('Page 3\n契約は二年')
})
