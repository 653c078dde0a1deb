import { expect, it, vi } from 'vitest'
import type { AnalyzeResponse } from '#shared/contracts/documents.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import { ApiError, NetworkError } from '../../../lib/api-errors.ts'
import { analyseDocuments } from './analyse-documents.ts'

const file = (name: string, rest: Partial<Attachment> = {}): Attachment => ({
  id: name,
  name,
  type: '',
  size: 9,
  ...rest,
})
const response = (note: string): AnalyzeResponse => ({
  success: true,
  analysis: 'text',
  error: null,
  hasActualContent: true,
  contentLength: 4,
  reading: { state: 'read', note },
})
const apiError = (status: number, message = 'x') => new ApiError({ status, code: 'x', userMessage: message })

async function runAnalysis(files: Attachment[], analyse: (file: Attachment) => Promise<AnalyzeResponse>) {
  const progress: string[] = []
  const notes: Record<string, string> = {}
  await analyseDocuments({
    files,
    analyse,
    onProgress: ({ name, done, total }) => progress.push(`${name} ${done}/${total}`),
    onAnalysed: ({ name }, { reading }) => {
      notes[name] = `${reading.state}: ${reading.note}`
    },
  })
  return { progress, notes }
}

it('DOC-01 CHAT-26 analyses only documents, each once, and reports the one in progress', async () => {
  const analyse = vi.fn<(file: Attachment) => Promise<AnalyzeResponse>>(async ({ name }) =>
    response(`all of ${name}`),
  )
  const { progress, notes } = await runAnalysis(
    [
      file('a.docx'),
      file('b.png', { type: 'image/png' }),
      file('c.txt'),
      file('d.zip'),
      file('e.md', { reading: { state: 'read', note: 'known' } }),
    ],
    analyse,
  )
  expect(analyse.mock.calls.map(([{ name }]) => name)).toEqual(['a.docx', 'c.txt'])
  expect(progress).toEqual(['a.docx 0/2', 'c.txt 1/2'])
  expect(notes).toEqual({ 'a.docx': 'read: all of a.docx', 'c.txt': 'read: all of c.txt' })
})

it.each([
  [
    'DOC-16',
    new NetworkError({ hasTimedOut: true }),
    'The document could not be analysed because of a network error. Please check your connection and try again.',
  ],
  ['DOC-13', apiError(404), 'Unable to access the file. It may have been deleted or moved.'],
  ['DOC-14', apiError(500, 'Something broke.'), 'Document analysis failed for a.txt: Something broke.'],
  ['DOC-14', apiError(429, 'Too many.'), 'Document analysis failed for a.txt: Too many.'],
])('%s DOC-09 reports a failed analysis as a result: %s', async (_, error, message) => {
  const { notes } = await runAnalysis([file('a.txt')], () => Promise.reject(error))
  expect(notes).toEqual({ 'a.txt': `unreadable: ${message}` })
})

it('an expired session is not reported as a document error', async () => {
  await expect(runAnalysis([file('a.txt')], () => Promise.reject(apiError(401)))).rejects.toMatchObject({
    status: 401,
  })
})
