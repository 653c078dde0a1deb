import { readFileSync } from 'node:fs'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { beforeEach, expect, it, vi } from 'vitest'
import { DocumentError, type ExtractedText } from '../../functions/documents/extracted-text.ts'
import { readDocument } from '../../functions/documents/readers.ts'
import type { DocumentKind } from '#shared/document-formats.ts'
import { readWorkbook } from '../../functions/documents/read-workbook.ts'
import { readSlides } from '../../functions/documents/read-slides.ts'
import { readText } from '../../functions/documents/read-text.ts'
import { readWord } from '../../functions/documents/read-word.ts'
import { docx, pdf, pptx, xlsx } from '../support/documents.ts'
import {
  arbitraryText,
  fc,
  divideRuns,
  limitCpuTimeAsync,
  backtrackingText,
  wellFormedText,
} from '../support/fuzz.ts'

const readFixture = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../fixtures/office/${name}`, import.meta.url)))

const samples = {
  word: docx(['One', 'Two & three']),
  sheet: xlsx({ First: [['a', 1, true, { date: 45_000 }]], Second: [['b']] }),
  slides: zipSync({
    ...unzipSync(pptx([['Title', 'Text'], ['More']])),
    'ppt/slides/_rels/slide2.xml.rels': strToU8(
      '<r><Relationship Id="c" Type="/chart" Target="c.xml"/><Relationship Id="d" Type="/diagramData" Target="d.xml"/></r>',
    ),
    'ppt/slides/slide2.xml': strToU8(
      '<sld><grpSp><sp><off x="1" y="2"/><ext cy="3"/><txBody><p><r><rPr baseline="3" strike="x"/><t>a</t></r></p></txBody></sp></grpSp><chart r:id="c"/><relIds dm="d"/></sld>',
    ),
    'ppt/slides/c.xml': strToU8(
      '<c><ser><tx><v>s</v></tx><cat><pt idx="0"><v>x</v></pt></cat><val><formatCode>0%</formatCode><pt idx="0"><v>1</v></pt></val></ser></c>',
    ),
    'ppt/slides/d.xml': strToU8(
      '<d><pt modelId="0" type="doc"/><pt modelId="1"><t>x</t></pt><cxn srcId="0" destId="1" srcOrd="0"/></d>',
    ),
  }),
  openDocument: readFixture('table-libreoffice.odt'),
  pdf: new Uint8Array(pdf(['Page one', 'Page two'])),
  book: zipSync({
    'META-INF/container.xml': strToU8('<a><rootfile full-path="b.opf"/></a>'),
    'b.opf': strToU8('<package><item id="a" href="c.xhtml"/><itemref idref="a"/></package>'),
    'c.xhtml': strToU8('<p>text</p>'),
  }),
  rtf: strToU8(
    String.raw`{\rtf1\ansi{\fonttbl{\f0\fcharset128 x;}}\f0\'93\'fa\u8364? {\field{\*\fldinst HYPERLINK "x:y"}{\fldrslt z}}\trowd a\cell\row{\footnote b}}`,
  ),
  html: strToU8('<ol><li><a href="x:y">a</a><table><tr><th colspan=2>b<td>c</table><s>d</s><sup>e</sup>'),
  contacts: strToU8('BEGIN:VCARD\nN;ENCODING=QUOTED-PRINTABLE:=41=\nb\nPHOTO;ENCODING=b:AA\nEND:VCARD'),
  calendar: strToU8('BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;TZID="a:b":20260401T003000\nEND:VEVENT'),
  mail: strToU8(
    'Subject: =?utf-8?q?x?=\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<table><tr><td>a</td></tr></table>\r\n--b\r\nContent-Type: text/csv; name=a.csv\r\n\r\n1;2\r\n--b--',
  ),
  mailbox: strToU8('From a@b Mon\nSubject: x\n\nb\n\nFrom a@b Mon\nSubject: y\n\n>From c\n'),
  notebook: strToU8(
    '{"cells":[{"cell_type":"code","source":["x"],"outputs":[{"data":{"text/html":["<table>"],"text/plain":["1"]}}]}]}',
  ),
  text: strToU8('a,b\r\n1,2\r\n'),
} satisfies Partial<Record<DocumentKind, Uint8Array>>

/** The extracted text, or a named problem. Other errors stay in the thread and are reported as unreadable. */
async function readOrProblem(
  name: keyof typeof samples,
  bytes: Uint8Array,
): Promise<ExtractedText | undefined> {
  try {
    return await limitCpuTimeAsync(async () => readDocument(name, bytes), 2_000)
  } catch (error) {
    if (error instanceof DocumentError) return undefined
    throw error
  }
}

// the product runs the reader in a thread and drops its console output
beforeEach(() => void vi.spyOn(console, 'log').mockReturnValue())
beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

const edit = fc.tuple(
  fc.nat(),
  fc.constantFrom('set', 'cut', 'insert', 'copy'),
  fc.uint8Array({ minLength: 1, maxLength: 8 }),
)

function applyEdits(sample: Uint8Array, edits: readonly [number, string, Uint8Array][]): Uint8Array {
  let bytes = Buffer.from(sample)
  for (const [offset, operation, other] of edits) {
    const at = offset % (bytes.length + 1)
    if (operation === 'set') bytes.set(other.subarray(0, bytes.length - at), at)
    else if (operation === 'cut') bytes = bytes.subarray(0, at)
    else
      bytes = Buffer.concat([
        bytes.subarray(0, at),
        operation === 'insert' ? other : bytes,
        bytes.subarray(at),
      ])
  }
  return new Uint8Array(bytes)
}

it.each(Object.keys(samples) as (keyof typeof samples)[])(
  'a %s file with changed bytes is read or reported as a problem',
  async (name) => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        const found = await readOrProblem(name, applyEdits(samples[name], edits))
        if (found) expect(found.length).toBeGreaterThanOrEqual(found.text.length)
      }),
      divideRuns(name === 'pdf' ? 4 : 2),
    )
  },
)

const xmlPieces = [
  '<',
  '>',
  '</row>',
  '<c t="s">',
  '<v>',
  '&',
  '&#x110000;',
  ']]>',
  '<!--',
  'r:id="',
  '"',
  '[',
  '\\',
  'http://[',
  '-1',
  '9e99',
]

it.each(['word', 'sheet', 'slides', 'openDocument', 'book'] as const)(
  'a %s file with random parts is read or reported as a problem',
  async (name) => {
    const parts = unzipSync(samples[name])
    const text = fc.oneof(arbitraryText(), fc.constantFrom(...xmlPieces), backtrackingText(xmlPieces, 20_000))
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.nat(20), text, async (partIndex, offset, length, other) => {
        const path = Object.keys(parts)[partIndex % Object.keys(parts).length] ?? ''
        const part = strFromU8(parts[path] ?? new Uint8Array())
        const at = offset % (part.length + 1)
        const changedPart = part.slice(0, at) + other + part.slice(at + length)
        await readOrProblem(name, zipSync({ ...parts, [path]: strToU8(changedPart) }))
      }),
    )
  },
)

it('text written into a document is read from it', async () => {
  const line = wellFormedText(40)
    .map((text) => text.replace(/[^\p{L}\p{N} .,&<>'"-]/gu, '').trim())
    .filter((text) => text !== '' && !text.startsWith('&'))
  await fc.assert(
    fc.asyncProperty(line, line, async (one, other) => {
      for (const found of [
        await readWord(docx([one, other])),
        readWorkbook(xlsx({ Sheet: [[one, other]] })),
        readSlides(pptx([[one], [other]])),
        await readText(strToU8(`${one}\n${other}`)),
      ]) {
        expect(found.text).toContain(one)
        expect(found.text).toContain(other)
      }
    }),
    divideRuns(2),
  )
})

const markupPieces = [
  '{',
  '}',
  '\\u-1',
  "\\'zz",
  '\\bin9',
  '\\pict',
  '\\cell',
  '\\row',
  '<td>',
  '</table>',
  '<s>',
  '<a href=x:y>',
  '<li>',
  '\nFrom ',
  'BEGIN:VEVENT\n',
  'ENCODING=b:',
  '=\n',
  ';',
]

it.each(['rtf', 'html', 'contacts', 'calendar', 'mail', 'mailbox'] as const)(
  'a %s file of random pieces is read in time',
  async (name) => {
    const start = Buffer.from(samples[name]).toString('latin1')
    await fc.assert(
      fc.asyncProperty(backtrackingText(markupPieces, 20_000), async (text) => {
        await readOrProblem(name, strToU8(start + text))
      }),
      divideRuns(4),
    )
  },
)
