import { readFileSync } from 'node:fs'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { beforeEach, expect, it, vi } from 'vitest'
import { DocumentError, type ExtractedText } from '../../functions/documents/extracted-text.ts'
import { readOpenDocument } from '../../functions/documents/read-open-document.ts'
import { readPdf } from '../../functions/documents/read-pdf.ts'
import { readWorkbook } from '../../functions/documents/read-workbook.ts'
import { readSlides } from '../../functions/documents/read-slides.ts'
import { readMail } from '../../functions/documents/read-mail.ts'
import { readNotebook } from '../../functions/documents/read-notebook.ts'
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

const readers = {
  word: { read: readWord, sample: docx(['One', 'Two & three']) },
  sheet: { read: readWorkbook, sample: xlsx({ First: [['a', 1, true, { date: 45_000 }]], Second: [['b']] }) },
  slides: { read: readSlides, sample: pptx([['Title', 'Text'], ['More']]) },
  openDocument: { read: readOpenDocument, sample: readFixture('table-libreoffice.odt') },
  pdf: { read: readPdf, sample: new Uint8Array(pdf(['Page one', 'Page two'])) },
  mail: {
    read: readMail,
    sample: strToU8(
      'Subject: =?utf-8?q?x?=\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<table><tr><td>a</td></tr></table>\r\n--b--',
    ),
  },
  notebook: {
    read: readNotebook,
    sample: strToU8(
      '{"cells":[{"cell_type":"code","source":["x"],"outputs":[{"data":{"text/plain":["1"]}}]}]}',
    ),
  },
  text: { read: readText, sample: strToU8('a,b\r\n1,2\r\n') },
} satisfies Record<
  string,
  { read: (bytes: Uint8Array) => ExtractedText | Promise<ExtractedText>; sample: Uint8Array }
>

/** The extracted text, or a named problem. Other errors stay in the thread and are reported as unreadable. */
async function readOrProblem(
  name: keyof typeof readers,
  bytes: Uint8Array,
): Promise<ExtractedText | undefined> {
  try {
    return await limitCpuTimeAsync(async () => readers[name].read(bytes), 2_000)
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

it.each(Object.keys(readers) as (keyof typeof readers)[])(
  'a %s file with changed bytes is read or reported as a problem',
  async (name) => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        const found = await readOrProblem(name, applyEdits(readers[name].sample, edits))
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

it.each(['word', 'sheet', 'slides', 'openDocument'] as const)(
  'a %s file with random parts is read or reported as a problem',
  async (name) => {
    const parts = unzipSync(readers[name].sample)
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
