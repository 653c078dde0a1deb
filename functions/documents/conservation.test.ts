import { strToU8, unzipSync, zipSync } from 'fflate'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { docx, pptx } from '../../test/support/documents.ts'
import { readingOf } from '../../test/support/read-documents.ts'
import type { ExtractedText } from './extracted-text.ts'
import { readBook } from './read-book.ts'
import { readHtml } from './read-html.ts'
import { readNotebook } from './read-notebook.ts'
import { readOpenDocument } from './read-open-document.ts'
import { readRtf } from './read-rtf.ts'
import { readSlides } from './read-slides.ts'
import { readWord } from './read-word.ts'
import { readWorkbook } from './read-workbook.ts'

/** What a reader may do to the texts of a document. */
let lose = (text: string) => text
afterEach(() => {
  lose = (text) => text
})

vi.mock('./format-runs.ts', async (importActual) => {
  const actual = await importActual<typeof import('./format-runs.ts')>()
  return {
    ...actual,
    formatRuns: (...input: Parameters<typeof actual.formatRuns>) => lose(actual.formatRuns(...input)),
    addLink: (...input: Parameters<typeof actual.addLink>) => lose(actual.addLink(...input)),
  }
})
vi.mock('./html-block.ts', async (importActual) => {
  const actual = await importActual<typeof import('./html-block.ts')>()
  return {
    ...actual,
    Block: class extends actual.Block {
      override addWords(text: string) {
        super.addWords(lose(text))
      }
    },
  }
})

vi.mock('./rtf-flow.ts', async (importActual) => {
  const actual = await importActual<typeof import('./rtf-flow.ts')>()
  return {
    ...actual,
    Flow: class extends actual.Flow {
      override take() {
        return lose(super.take())
      }
    },
  }
})
vi.mock('./open-document-cells.ts', async (importActual) => {
  const actual = await importActual<typeof import('./open-document-cells.ts')>()
  return {
    ...actual,
    showTime: (...input: Parameters<typeof actual.showTime>) => lose(actual.showTime(...input)),
  }
})

const header =
  '<w:hdr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:p><w:r><w:t>Page 7 top</w:t></w:r></w:p></w:hdr>'
const wordParts = {
  'word/header1.xml': strToU8(header),
  'word/_rels/document.xml.rels': strToU8(
    '<Relationships><Relationship Id="h" Type="x/header" Target="header1.xml"/></Relationships>',
  ),
}
const book = zipSync({
  'META-INF/container.xml': strToU8('<a><rootfile full-path="b.opf"/></a>'),
  'b.opf': strToU8('<package><item id="a" href="c.xhtml"/><itemref idref="a"/></package>'),
  'c.xhtml': strToU8('<p>one 7</p><p>two</p>'),
})

const openDocument = (kind: string, body: string) =>
  readOpenDocument(
    strToU8(
      `<office:document office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`,
    ),
  )
const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`

describe.each([
  ['lose', ''],
  ['double', '77'],
])('a layout that would %s a letter', (_, damage) => {
  it.each<[kind: string, read: () => ExtractedText | Promise<ExtractedText>, plain: string, parts: number]>([
    [
      'a body and a header of Word',
      () => readWord(docx(['one 7', 'two'], '', wordParts)),
      'Page header: Page 7 top\n\none 7\ntwo',
      2,
    ],
    [
      'a slide',
      () => readSlides(pptx([['one 7', 'two'], ['three']])),
      'Slide 1\none 7\ntwo\n\nSlide 2\nthree',
      1,
    ],
    [
      'a page',
      () => readHtml(strToU8('<h1>one 7</h1><ul><li>two<script>three</script></ul>')),
      'one 7\ntwo',
      1,
    ],
    ['a chapter', () => readBook(book), 'one 7\ntwo', 1],
    [
      'an OpenDocument text',
      () =>
        openDocument('text', '<text:p><text:a xlink:href="x:y">one 7</text:a></text:p><text:p>two</text:p>'),
      'one 7\ntwo',
      1,
    ],
    [
      'an OpenDocument sheet',
      () =>
        openDocument(
          'spreadsheet',
          `<table:table table:name="A"><table:table-row>${cell('one 7')}${cell('two')}</table:table-row></table:table>`,
        ),
      'Sheet: A\none 7\ntwo',
      1,
    ],
    ['an RTF', () => readRtf(strToU8(String.raw`{\rtf1 one 7\par two}`)), 'one 7\ntwo', 1],
  ])('costs %s its layout, and the note says so', async (_, read, plain, parts) => {
    const whole = await read()
    expect(whole).not.toHaveProperty('plain')
    lose = (text) => text.replace('7', damage)
    const { text, ...rest } = await read()
    expect(text.trim()).toBe(plain)
    expect(rest.plain).toBe(parts)
    expect(readingOf({ text, ...rest }).note).toMatch(
      parts === 1
        ? /1 part is given in reading order without its layout/
        : /2 parts are given in reading order without their layout/,
    )
  })
})

it('a notebook whose cell has two sources is given plain', async () => {
  const cells = [{ cell_type: 'code', source: 'one', input: 'two 7', outputs: [{ text: 'three' }] }]
  const { text, plain } = await readNotebook(strToU8(JSON.stringify({ cells })))
  expect(text).toBe('one\ntwo 7\nthree')
  expect(plain).toBe(1)
})

it('cells that have no place of their own are listed with their addresses', () => {
  const sheet = (rows: string) =>
    zipSync({
      '_rels/.rels': strToU8(
        '<r><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.xml"/></r>',
      ),
      'xl/workbook.xml': strToU8('<workbook xmlns:r="r"><sheet name="A" r:id="s"/></workbook>'),
      'xl/_rels/workbook.xml.rels': strToU8(
        '<r><Relationship Id="s" Type="x/worksheet" Target="s.xml"/></r>',
      ),
      'xl/s.xml': strToU8(`<worksheet><sheetData>${rows}</sheetData></worksheet>`),
    })
  const valueOf = (ref: string, value: string) => `<c r="${ref}" t="str"><v>${value}</v></c>`
  const row = (number: number, cells: string) => `<row r="${number}">${cells}</row>`
  const { text, plain } = readWorkbook(
    sheet(
      row(1, valueOf('A1', 'a') + valueOf('C1', 'c')) +
        row(2, valueOf('A2', 'first') + valueOf('A2', 'second')),
    ),
  )
  expect(text).toBe('Sheet: A\na\t\tc\nA2: first\tA2: second\t\n')
  expect(plain).toBe(1)
})

it('a part without its checksum is read, and the note says so', async () => {
  const bytes = zipSync({ ...unzipSync(book), 'c.xhtml': strToU8('<p>one 7</p>') }, { level: 0 })
  const at = Buffer.from(bytes).lastIndexOf('one 7')
  bytes[at + 4] = '8'.charCodeAt(0)
  const { text, ...rest } = await readBook(bytes)
  expect(text).toBe('one 8')
  expect(readingOf({ text, ...rest }).note).toBe(
    'read in full; 1 part does not have the checksum of its file and may be damaged',
  )
})
