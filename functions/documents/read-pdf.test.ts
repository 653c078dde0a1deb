import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { documentSentences } from '#shared/sentences/documents.ts'
import { pdf, pdfStream, rawPdf } from '../../test/support/documents.ts'
import { readPdfText } from '../../test/support/pdf-pages.ts'
import { readingOf } from '../../test/support/read-documents.ts'
import { limitReadingTime } from './extracted-text.ts'
import { readDocument } from './readers.ts'

const folder = new URL('../../test/fixtures/files/pdf/', import.meta.url)
const read = async (name: string) => {
  const extracted = await readDocument('pdf', new Uint8Array(readFileSync(new URL(`${name}.pdf`, folder))))
  expect(extracted.pages?.plain).toBeUndefined()
  return extracted
}

// pdf.js warns of fonts, which reading text does not need; the product drops the output of its process
beforeEach(() => void vi.spyOn(console, 'log').mockReturnValue())
beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

describe('a PDF of another program', () => {
  it.each([
    ['arabic-ligatures', 'عقد الإيجار: 4500 درهم شهريا، رقم 7788'],
    ['chinese', '合同金额为五十万元。'],
    ['japanese', '契約金額は五十万円です。'],
    ['korean', '계약 금액은 오십만 원입니다.'],
  ])('in %s has its text', async (name, text) => {
    expect((await read(name)).text).toBe(text)
  })

  it.each([
    ['by their names only', 'named-glyphs', 'The deposit is 350 EUR and is due on Friday.'],
    ['under codes that are white space', 'no-unicode', 'The deposit is 350 EUR.'],
  ])('has the text of a font that knows its letters %s', async (_, name, text) => {
    expect(await read(name)).toMatchObject({ text, pages: { total: 1 } })
  })

  it('has the values of its form', async () => {
    expect((await read('form')).text).toBe(
      [
        'Application',
        '',
        'Form fields:',
        'Name of the applicant: Ann Example',
        'amount: 12,500 EUR',
        'remark: (empty)',
        'agree: checked',
        'newsletter: not checked',
        'payment: card',
        'country: Norway',
      ].join('\n'),
    )
  })

  it('has its comments', async () => {
    expect((await read('annotations')).text).toBe(
      'The contract ends in March.\n\nComment by Bob: Please check the date.\nComment: not before April',
    )
  })

  it('keeps the empty cells of a table', async () => {
    expect((await read('table')).text).toBe(
      [
        'Region\tProduct\tUnits',
        'North\t\t12',
        '\tHub\t7',
        'West\tRelay\t',
        'A long region name\tHub\t1,250',
      ].join('\n'),
    )
  })

  it.each(['wrapped-tight', 'wrapped-grid'])(
    'joins cells whose lines stand as closely as rows: %s',
    async (name) => {
      expect((await read(name)).text).toBe(
        [
          'Name\tAddress\tNote\tSum',
          'Ann Example\tHarbour Street 7, third floor, 0150 Oslo\tdelivery by truck\t120',
          'Bo Berg\tMain Road 12, 5003 Bergen\t\t75',
          'Cara Cole\tLong Avenue 144, rear building, second door on the left, 7010 Trondheim\tcall before, gate code 4711\t310',
          'Dan\tHill 3\tpays in cash on delivery only\t42',
        ].join('\n'),
      )
    },
  )

  it('names the pages without text', async () => {
    const extracted = await read('scanned-pages')
    expect(extracted).toMatchObject({
      text: 'Cover sheet\n\nLast page',
      pages: { empty: [2, 3, 4], total: 5 },
    })
    expect(readingOf(extracted)).toMatchObject({
      status: 'part',
      note: 'pages 2–4 have no text, they may be scanned; 1 picture was not read',
    })
  })

  it('is read with an owner’s password, and refused with a user’s', async () => {
    expect((await read('owner-password')).text).toBe('Only for printing.')
    await expect(read('user-password')).rejects.toMatchObject({ problem: 'encrypted' })
  })
})

it('has bullets of a symbol font, and counts codes that are no characters', async () => {
  const map = '1 beginbfchar <61> <F0B7> endbfchar 1 beginbfchar <62> <0001> endbfchar'
  const bytes = rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F 5 0 R /S 6 0 R >> >> >>',
    pdfStream(
      'BT /S 12 Tf 50 700 Td (a) Tj /F 12 Tf ( The rent of the flat) Tj /S 12 Tf (b) Tj /F 12 Tf ( is 350 EUR a month) Tj ET',
    ),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /SymbolMT /FirstChar 97 /LastChar 98 /Widths [460 460] /ToUnicode 7 0 R >>',
    pdfStream(
      `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${map} endcmap end`,
    ),
  ])
  expect(await readDocument('pdf', bytes)).toMatchObject({
    text: '• The rent of the flat\ufffd is 350 EUR a month',
    omitted: [{ what: 'damagedCharacters', count: 1 }],
  })
})

it.each([
  ['alone', 'ZYXW', 'درهم'],
  ['behind a Latin text', 'Total due in 2026: 100 ZYXW', 'Total due in 2026: 100 درهم'],
  ['between Latin texts', 'The sum of 100 ZYXW is due', 'The sum of 100 درهم is due'],
])('has Arabic letters for their shapes, in the order in which they are read: %s', async (_, drawn, text) => {
  const map =
    '2 beginbfrange <20> <56> <0020> <5b> <7e> <005b> endbfrange 4 beginbfchar <57> <FEA9> <58> <FEAD> <59> <FEEB> <5a> <FEE2> endbfchar'
  const bytes = rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    pdfStream(`BT /F 12 Tf 50 700 Td (${drawn}) Tj ET`),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>',
    pdfStream(
      `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${map} endcmap end`,
    ),
  ])
  expect(await readPdfText(bytes)).toBe(text)
})

it.each([
  [
    'beside other text',
    'BT /F1 12 Tf 72 700 Td (Total 350) Tj ET',
    'Total 350',
    /^page 1 has text in an unknown encoding$/,
  ],
  ['alone', '', '', /: page 1 has text in an unknown encoding/],
])('a page has lost the text of a font that cannot be loaded, %s', async (_, other, text, note) => {
  const bytes = rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
    pdfStream(`${other} BT /F2 12 Tf 72 600 Td (Lost clause) Tj ET`),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type0 /BaseFont /Broken /Encoding /Identity-H >>',
  ])
  const extracted = await readDocument('pdf', bytes)
  expect(extracted).toMatchObject({ text, pages: { garbled: [1] }, scans: { of: 1 } })
  expect(readingOf(extracted).note).toMatch(note)
})

describe('a PDF with a damaged page', () => {
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R /Resources << /Font << /F 6 0 R >> >> >>'
  const build = (pages: readonly string[]) =>
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${pages.join(' ')}] /Count ${pages.length} >>`,
      page,
      page,
      pdfStream('BT /F 12 Tf 50 700 Td (The rent is 350 EUR.) Tj ET'),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ])

  it('has the text of the others', async () => {
    const extracted = await readDocument('pdf', build(['3 0 R', '4 0 R', '9 0 R']))
    expect(extracted).toMatchObject({
      text: 'The rent is 350 EUR.\n\nThe rent is 350 EUR.',
      omitted: [{ what: 'parts', count: 1 }],
    })
    expect(readingOf(extracted)).toMatchObject({ status: 'part', note: '1 damaged part was not read' })
  })

  it('and no other cannot be read', async () => {
    await expect(readDocument('pdf', build(['9 0 R']))).rejects.toMatchObject({ problem: 'unreadable' })
  })
})

it('has the text of layers that are off marked as hidden', async () => {
  const text = (y: number, shown: string) => `BT /F 12 Tf 50 ${y} Td (${shown}) Tj ET`
  const content = `${text(700, 'Seen')}\n/OC /A BDC ${text(680, 'Draft')} EMC /OC /B BDC ${text(660, 'Shown too')} EMC`
  const bytes = rawPdf([
    '<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [6 0 R 7 0 R] /D << /OFF [6 0 R] >> >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> /Properties << /A 6 0 R /B 7 0 R >> >> >>',
    pdfStream(content),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /OCG /Name (a) >>',
    '<< /Type /OCG /Name (b) >>',
  ])
  expect(await readDocument('pdf', bytes)).toMatchObject({
    text: 'Seen\nShown too\n\n[hidden: Draft]',
    hidden: 1,
  })
})

it('has the text of stamps, with the gaps between their words', async () => {
  const stamp = '<< /Type /Annot /Subtype /Stamp /Rect [300 600 500 640] /AP << /N'
  const form = '/Type /XObject /Subtype /Form /BBox [0 0 200 40] /Resources << /Font << /F 5 0 R >> >>'
  const bytes = rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Annots [6 0 R 8 0 R] /Resources << /Font << /F 5 0 R >> >> >>',
    pdfStream('BT /F 12 Tf 50 700 Td (Invoice 88) Tj ET'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `${stamp} 7 0 R >> >>`,
    pdfStream('BT /F 12 Tf 5 20 Td [(P) 80 (AID) -300 (12 M) 200 (AY)] TJ 0 -14 Td (by Ann) Tj ET', form),
    // one whose text is blank
    `${stamp} 9 0 R >> >>`,
    pdfStream('BT /F 12 Tf 5 20 Td ( ) Tj ET', form),
  ])
  expect(await readPdfText(bytes)).toBe('Invoice 88\n\nStamp: PAID 12 MAY by Ann')
})

/** A page of 600 × 800 points. `/P` is a picture. */
function drawPage(content: string): Uint8Array {
  return rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> /XObject << /P 6 0 R >> /ExtGState << /G << /ca 0 >> >> >> >>',
    pdfStream(content),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    pdfStream(
      '0',
      '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
    ),
  ])
}
const textAt = (y: number, shown: string, state = '') =>
  `q ${state} BT /F 12 Tf 50 ${y} Td (${shown}) Tj ET Q`

it.each([
  ['drawn invisibly', textAt(680, 'Unseen', '3 Tr')],
  ['without opacity', textAt(680, 'Unseen', '/G gs')],
  ['white on the paper', textAt(680, 'Unseen', '1 g')],
  ['white on a white surface', `1 g 0 0 600 800 re f ${textAt(680, 'Unseen', '1 g')} 0 g`],
])('has text that is %s marked as hidden', async (_, unseen) => {
  const page = drawPage(`${unseen} ${textAt(700, 'Seen')}`)
  expect(await readDocument('pdf', page)).toMatchObject({ text: 'Seen\n\n[hidden: Unseen]', hidden: 1 })
})

it.each([
  [
    'invisible text over a picture, as scans have it',
    `q 500 0 0 400 20 350 cm /P Do Q ${textAt(680, 'Read', '3 Tr')}`,
  ],
  [
    'invisible text over the shapes of its letters',
    `52 679 5 9 re f 60 679 5 9 re f ${textAt(680, 'Read', '3 Tr')}`,
  ],
  ['white text on a dark surface', `0 0.2 0.5 rg 40 670 200 30 re f ${textAt(680, 'Read', '1 g')}`],
  ['white text on a thick line', `0 0.2 0.5 RG 30 w 40 685 m 300 685 l S ${textAt(680, 'Read', '1 g')}`],
  ['white text on a picture', `q 500 0 0 400 20 350 cm /P Do Q ${textAt(680, 'Read', '1 g')}`],
  ['text whose outline is drawn', textAt(680, 'Read', '1 g 1 Tr')],
])('has %s as it stands', async (_, content) => {
  const extracted = await readDocument('pdf', drawPage(`${textAt(700, 'Seen')} ${content}`))
  expect(extracted.text).toBe('Seen\nRead')
  expect(extracted.hidden).toBeUndefined()
})

it('takes no page for a scan on which only the white of the paper is painted', async () => {
  const white = await readDocument('pdf', drawPage('1 g 0 0 600 800 re f'))
  expect(white.scans).toBeUndefined()
  const drawn = await readDocument(
    'pdf',
    drawPage('1 g 0 0 600 800 re f 1 G 0 0 m 9 9 l S 0.9 g 9 9 50 50 re f'),
  )
  expect(drawn.scans).toMatchObject({ of: 1 })
})

it('has invisible text once where the same can be seen, and alone as it stands', async () => {
  const repeated = drawPage(`${textAt(700, 'Seen')} ${textAt(700, 'Seen', '3 Tr')} ${textAt(650, 'End')}`)
  expect(await readPdfText(repeated)).toBe('Seen\nEnd')
  expect(await readPdfText(drawPage(textAt(700, 'All', '3 Tr')))).toBe('All')
})

it('a document of pictures only may be scanned', () => {
  const omitted = [{ what: 'pictures' as const, count: 2 }]
  const pages = { ends: [0, 0], total: 2, empty: [1, 2] }
  expect(readingOf({ text: '', length: 0, pages, omitted }).note).toBe(
    documentSentences['no_content.scanned'],
  )
})

it.each([
  [[2], 'page 2 has no text, it may be scanned'],
  [[1, 3], 'pages 1 and 3 have no text, they may be scanned'],
  [[1, 2, 5, 7, 8, 9], 'pages 1–2, 5 and 7–9 have no text, they may be scanned'],
  [
    Array.from({ length: 12 }, (_, index) => index * 2 + 1),
    'pages 1, 3, 5, 7, 9, 11, 13, 15 and 4 more have no text, they may be scanned',
  ],
])('pages %j without text are named as ranges', (empty, note) => {
  const pages = { ends: Array.from({ length: 30 }, (_, index) => index + 1), total: 30, empty }
  expect(readingOf({ text: 'a'.repeat(30), length: 30, pages })).toMatchObject({ status: 'part', note })
})

it('a document that takes too long is read up to there, its first page at least', async () => {
  const bytes = () => new Uint8Array(pdf(['One', 'Two', 'Three']))
  expect(await readDocument('pdf', bytes())).toEqual({
    text: 'One\n\nTwo\n\nThree',
    length: 15,
    pages: { ends: [3, 8, 15], total: 3 },
  })
  limitReadingTime(-1)
  try {
    expect(await readDocument('pdf', bytes())).toEqual({
      text: 'One',
      length: 3,
      pages: { ends: [3], total: 3 },
    })
  } finally {
    limitReadingTime(Infinity)
  }
})

const columns = ['縦書きの日本語テキストです。', '右から左へ列が進みます。', '三列目の文章はここにある。']
/** A page in a Japanese font. @param direction H or V */
const readJapanese = (
  direction: string,
  texts: readonly (readonly [text: string, x: number, y: number])[],
) => {
  const toCodes = (text: string) =>
    Array.from(text, (letter) => letter.charCodeAt(0).toString(16).padStart(4, '0')).join('')
  const content = texts.map(([text, x, y]) => `BT /F 12 Tf ${x} ${y} Td <${toCodes(text)}> Tj ET\n`).join('')
  return readDocument(
    'pdf',
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
      pdfStream(content),
      `<< /Type /Font /Subtype /Type0 /BaseFont /KozMinPro-Regular /Encoding /UniJIS-UCS2-${direction} /DescendantFonts [6 0 R] >>`,
      '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /KozMinPro-Regular /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 4 >> /FontDescriptor << /Type /FontDescriptor /FontName /KozMinPro-Regular /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >> >>',
    ]),
  )
}

const letterByLetter = (step: number) =>
  columns.flatMap((text, at) =>
    Array.from(text, (letter, row) => [letter, 500 - 20 * at, 700 - step * row] as const),
  )

it.each<[how: string, direction: string, texts: Parameters<typeof readJapanese>[1]]>([
  ['by a font that writes downwards', 'V', columns.map((text, at) => [text, 500 - 20 * at, 700])],
  ['letter by letter, 12 points below each other', 'H', letterByLetter(12)],
  ['letter by letter, 14 points below each other', 'H', letterByLetter(14)],
])(
  'gives vertical writing that is drawn %s as it is drawn, and names its page',
  async (_, direction, texts) => {
    const { text, pages } = await readJapanese(direction, texts)
    expect(text).toBe(columns.join('\n'))
    expect(pages?.plain).toEqual([1])
  },
)

it('cells of one letter are no vertical writing', async () => {
  const rows = ['山田太郎さん\t男', '鈴木花子さん\t女', '佐藤一郎さん\t男', '高橋美咲さん\t女']
  const texts = [300, 100].flatMap((x) =>
    rows.map((row, at) => [row.split('\t')[x === 300 ? 1 : 0] ?? '', x, 700 - 15 * at] as const),
  )
  const { text, pages } = await readJapanese('H', texts)
  expect(text).toBe(rows.join('\n'))
  expect(pages?.plain).toBeUndefined()
})

it.each([
  ['', '1 form was not read'],
  ['6 0 R', 'read in full'],
])('a dynamic form (XFA) is counted as not read; one with fields is a form: "%s"', async (fields, note) => {
  const extracted = await readDocument(
    'pdf',
    rawPdf([
      `<< /Type /Catalog /Pages 2 0 R /NeedsRendering true /AcroForm << /Fields [${fields}] /XFA 7 0 R >> >>`,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
      pdfStream('BT /F 12 Tf 50 700 Td (Please wait) Tj ET'),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      '<< /FT /Tx /T (who) >>',
      pdfStream('<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"></xdp:xdp>'),
    ]),
  )
  expect(extracted.text).toBe('Please wait')
  expect(readingOf(extracted).note).toBe(note)
})
