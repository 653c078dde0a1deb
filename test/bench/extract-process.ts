import { readFile } from 'node:fs/promises'
import { extract } from '../../functions/documents/extract.ts'
import type { DocumentKind } from '#shared/document-formats.ts'
import { DocumentError } from '../../functions/documents/extracted-text.ts'
import { watchMemory } from './child-use.ts'

// Extracts one document as the function does, in a separate process to measure its memory: `kind path`.

const [kind = '', path = ''] = process.argv.slice(2)
const bytes = new Uint8Array(await readFile(path))
const readPeakMb = watchMemory()
const before = process.memoryUsage.rss()
const startedAt = performance.now()
const outcome = await extract(kind as DocumentKind, bytes).then(
  ({ text: { length, pages } }) => ({ length, ...(pages && { pages: pages.ends.length }) }),
  (error: unknown) => {
    if (error instanceof DocumentError) return { problem: error.problem }
    throw error
  },
)
process.stdout.write(
  JSON.stringify({
    ms: performance.now() - startedAt,
    beforeMb: before / 1024 / 1024,
    peakMb: readPeakMb(),
    outcome,
  }),
)
