import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DocumentKind } from '#shared/document-formats.ts'
import { docx, pdf, pptx, xlsx } from '../support/documents.ts'
import { median, ms, type Bench } from './figures.ts'

const runs = 5
const MB = 1024 * 1024
/** The function's memory, and the extraction's share of the time before the gateway gives up. */
const budget = { ms: 20_000, peakMb: 1_024 }

/** Words that compress badly. */
const words = (characters: number) =>
  randomBytes(characters).toString('base64').slice(0, characters).replaceAll(/[+/]/g, ' ')
const paragraphs = (count: number, characters: number) =>
  Array.from({ length: count }, () => words(characters))

const documents: readonly { what: string; kind: DocumentKind; make: () => Uint8Array }[] = [
  {
    what: 'docx, text of 200 pages and 20 MB of images',
    kind: 'word',
    make: () => docx(paragraphs(1_000, 600), '', { 'word/media/image1.jpeg': randomBytes(19 * MB) }),
  },
  { what: 'docx, 20 MB of nothing but text', kind: 'word', make: () => docx(paragraphs(13_000, 2_000)) },
  {
    what: 'pdf, 500 pages of 40 lines',
    kind: 'pdf',
    make: () => pdf(Array.from({ length: 500 }, () => paragraphs(40, 70).join('\n'))),
  },
  {
    what: 'pptx, 500 slides of 10 paragraphs',
    kind: 'slides',
    make: () => pptx(Array.from({ length: 500 }, () => paragraphs(10, 100))),
  },
  {
    what: 'xlsx, 100,000 rows of 6 cells',
    kind: 'sheet',
    make: () =>
      xlsx({
        Sales: Array.from({ length: 100_000 }, (_, row) => [
          `Customer ${row}`,
          words(12),
          row,
          row * 1.5,
          { date: 45_000 + (row % 700) },
          row % 2 === 0,
        ]),
      }),
  },
]

interface Measurement {
  ms: number
  beforeMb: number
  peakMb: number
  outcome: object
}

async function extractOnce(kind: DocumentKind, path: string): Promise<Measurement> {
  const module = join(import.meta.dirname, 'extract-process.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [module, kind, path])
  return JSON.parse(stdout) as Measurement
}

export const documentsBench: Bench = {
  name: 'documents',
  title: 'Text extraction from documents',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'juno-documents-'))
    try {
      const figures = []
      for (const { what, kind, make } of documents) {
        const path = join(folder, 'document')
        const bytes = make()
        await writeFile(path, bytes)
        const measured: Measurement[] = []
        while (measured.length < runs) measured.push(await extractOnce(kind, path))
        const times = measured.map((one) => one.ms)
        const peakMb = Math.max(...measured.map((one) => one.peakMb))
        const beforeMb = median(measured.map((one) => one.beforeMb))
        figures.push({
          what: `${what} (${(bytes.length / MB).toFixed(1)} MB): time, median / most of ${runs}; peak of the process with its child (${beforeMb.toFixed(0)} MB before); ${JSON.stringify(measured[0]?.outcome)}`,
          measured: `${ms(median(times))} / ${ms(Math.max(...times))}; ${peakMb.toFixed(0)} MB`,
          budget: `< ${budget.ms / 1_000} s, < ${budget.peakMb} MB`,
          met: Math.max(...times) < budget.ms && peakMb < budget.peakMb,
        })
      }
      return figures
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
