import { Document, Packer, Paragraph, Table, TableCell, TableRow, TextRun } from 'docx'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import type { DocumentKind } from '#shared/document-formats.ts'
import { readDocument } from '../../functions/documents/readers.ts'
import { docx, pptx } from '../support/documents.ts'
import { divideRuns, fc } from '../support/fuzz.ts'

interface Run {
  word: string
  look: 'plain' | 'struck' | 'raised' | 'linked'
}
type Block =
  | { kind: 'paragraph' | 'item'; runs: Run[] }
  | { kind: 'table'; rows: { blocks: Block[]; columns: number; rows: number }[][] }

const looks = ['plain', 'struck', 'raised', 'linked'] as const
const paragraph: fc.Arbitrary<Block> = fc.record({
  kind: fc.constantFrom('paragraph' as const, 'item' as const),
  runs: fc.array(fc.record({ word: fc.constant(''), look: fc.constantFrom(...looks) }), { maxLength: 4 }),
})
const tableOf = (inner: fc.Arbitrary<Block>): fc.Arbitrary<Block> =>
  fc.record({
    kind: fc.constant('table' as const),
    rows: fc.array(
      fc.array(
        fc.record({
          blocks: fc.array(inner, { maxLength: 2 }),
          columns: fc.integer({ min: 1, max: 2 }),
          rows: fc.integer({ min: 1, max: 2 }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      { minLength: 1, maxLength: 3 },
    ),
  })
const block = fc.oneof(paragraph, tableOf(fc.oneof(paragraph, tableOf(paragraph))))

/** Gives each run a word that occurs nowhere else. */
function nameWords(blocks: readonly Block[], words: string[] = []): string[] {
  for (const one of blocks)
    if (one.kind === 'table')
      for (const row of one.rows) for (const cell of row) nameWords(cell.blocks, words)
    else
      for (const run of one.runs) {
        run.word = `w${words.length}q`
        words.push(run.word)
      }
  return words
}

function toHtml(blocks: readonly Block[]): string {
  const run = ({ word, look }: Run) =>
    look === 'linked'
      ? `<a href="x:y">${word}</a>`
      : look === 'struck'
        ? `<s>${word}</s>`
        : look === 'raised'
          ? `<sup>${word}</sup>`
          : word
  return blocks
    .map((one) =>
      one.kind === 'table'
        ? `<table border=1>${one.rows.map((row) => `<tr>${row.map((cell) => `<td colspan=${cell.columns} rowspan=${cell.rows}>${toHtml(cell.blocks)}`).join('')}`).join('')}</table>`
        : `<${one.kind === 'item' ? 'li' : 'p'}>${one.runs.map(run).join(' ')}</${one.kind === 'item' ? 'li' : 'p'}>`,
    )
    .join('')
}

function toWord(blocks: readonly Block[]): string {
  const run = ({ word, look }: Run) =>
    `<w:r><w:rPr>${look === 'struck' ? '<w:strike/>' : ''}${look === 'raised' ? '<w:vertAlign w:val="superscript"/>' : ''}</w:rPr><w:t xml:space="preserve">${word} </w:t></w:r>`
  return blocks
    .map((one) =>
      one.kind === 'table'
        ? `<w:tbl>${one.rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc><w:tcPr><w:gridSpan w:val="${cell.columns}"/></w:tcPr>${toWord(cell.blocks)}<w:p/></w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`
        : `<w:p>${one.runs.map(run).join('')}</w:p>`,
    )
    .join('')
}

function toLibrary(blocks: readonly Block[]): (Paragraph | Table)[] {
  return blocks.map((one) =>
    one.kind === 'table'
      ? new Table({
          rows: one.rows.map(
            (row) =>
              new TableRow({
                children: row.map(
                  (cell) =>
                    new TableCell({
                      columnSpan: cell.columns,
                      rowSpan: cell.rows,
                      children: [...toLibrary(cell.blocks), new Paragraph('')],
                    }),
                ),
              }),
          ),
        })
      : new Paragraph({
          ...(one.kind === 'item' && { bullet: { level: 0 } }),
          children: one.runs.map(
            ({ word, look }) =>
              new TextRun({ text: `${word} `, strike: look === 'struck', superScript: look === 'raised' }),
          ),
        }),
  )
}

function toSlide(blocks: readonly Block[]): string {
  const texts = (some: readonly Block[]): string =>
    some
      .map((one) =>
        one.kind === 'table'
          ? one.rows.map((row) => row.map((cell) => texts(cell.blocks)).join('')).join('')
          : `<a:p>${one.runs.map(({ word, look }) => `<a:r><a:rPr strike="${look === 'struck' ? 'sngStrike' : 'noStrike'}"/><a:t>${word} </a:t></a:r>`).join('')}</a:p>`,
      )
      .join('')
  return blocks
    .map((one) =>
      one.kind === 'table'
        ? `<p:graphicFrame><a:tbl>${one.rows.map((row) => `<a:tr>${row.map((cell) => `<a:tc><a:txBody>${texts(cell.blocks)}</a:txBody></a:tc>`).join('')}</a:tr>`).join('')}</a:tbl></p:graphicFrame>`
        : `<p:sp><p:txBody>${texts([one])}</p:txBody></p:sp>`,
    )
    .join('')
}

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const writers: Readonly<
  Record<string, readonly [DocumentKind, (blocks: Block[]) => Promise<Uint8Array> | Uint8Array]>
> = {
  'a page': ['html', (blocks) => strToU8(toHtml(blocks))],
  'Word, written by hand': [
    'word',
    (blocks) =>
      docx([], '', {
        'word/document.xml': strToU8(`<w:document ${word}><w:body>${toWord(blocks)}</w:body></w:document>`),
      }),
  ],
  'Word, written by a library': [
    'word',
    async (blocks) =>
      new Uint8Array(await Packer.toBuffer(new Document({ sections: [{ children: toLibrary(blocks) }] }))),
  ],
  'a slide': [
    'slides',
    (blocks) =>
      zipSync({
        ...unzipSync(pptx([['x']])),
        'ppt/slides/slide1.xml': strToU8(`<p:sld><p:spTree>${toSlide(blocks)}</p:spTree></p:sld>`),
      }),
  ],
}

it.each(Object.entries(writers))(
  'every text of %s is given exactly once, with its layout',
  async (_, [kind, write]) => {
    await fc.assert(
      fc.asyncProperty(fc.array(block, { maxLength: 6 }), async (blocks) => {
        const words = nameWords(blocks)
        const { text, plain } = await readDocument(kind, await write(blocks))
        expect(text.match(/w\d+q/g)?.toSorted() ?? []).toEqual(words.toSorted())
        expect(plain).toBeUndefined()
      }),
      divideRuns(2),
    )
  },
)
