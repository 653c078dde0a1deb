import { tmpdir } from 'node:os'
import { strToU8, zipSync } from 'fflate'
import { beforeEach, expect, it, vi } from 'vitest'
import { docx, pdf, pptx, xlsx } from '../../test/support/documents.ts'

const thread = vi.hoisted(() => ({
  parentPort: { postMessage: vi.fn<(message: unknown) => void>() },
  workerData: undefined as unknown,
}))
vi.mock('node:worker_threads', () => ({
  get parentPort() {
    return thread.parentPort
  },
  get workerData() {
    return thread.workerData
  },
}))
beforeEach(() => {
  vi.resetModules()
  // pdf.js warns of fonts; the product drops the output of its thread
  vi.spyOn(console, 'warn').mockReturnValue()
  thread.parentPort.postMessage.mockReset()
})

/** What the thread of a document posts. */
async function runThread(kind: string, bytes: Uint8Array) {
  thread.workerData = { kind, bytes, timeMs: 60_000 }
  await import('./extract-worker.ts')
  return thread.parentPort.postMessage.mock.calls
}

const openDocument = () =>
  zipSync({
    mimetype: strToU8('application/vnd.oasis.opendocument.text'),
    'content.xml': strToU8('<a><text><p>hello</p></text></a>'),
  })
const notebook = { nbformat: 4, cells: [{ cell_type: 'markdown', source: 'hello' }] }

it.each<[kind: string, build: () => Uint8Array]>([
  ['word', () => docx(['hello'])],
  ['pdf', () => pdf(['hello'])],
  ['sheet', () => xlsx({ A: [['hello']] })],
  ['slides', () => pptx([['hello']])],
  ['openDocument', openDocument],
  ['text', () => strToU8('hello')],
  ['mail', () => strToU8('Subject: x\r\n\r\nhello')],
  ['notebook', () => strToU8(JSON.stringify(notebook))],
])('a document of the kind %s is read by its reader', async (kind, build) => {
  expect(await runThread(kind, new Uint8Array(build()))).toEqual([
    [{ extracted: expect.objectContaining({ text: expect.stringContaining('hello') as string }) as object }],
  ])
})

it('a document that cannot be read is reported with its problem', async () => {
  expect(await runThread('word', strToU8('no package'))).toEqual([
    [{ problem: 'unreadable', detail: 'no package', kind: 'word' }],
  ])
})

it('an error of the reader itself ends the thread', async () => {
  await expect(runThread('none', strToU8('hello'))).rejects.toThrow(TypeError)
})

it('tables follow the text in a message of their own', async () => {
  thread.workerData = { kind: 'csv', bytes: strToU8('a,b\n1,2\n'), timeMs: 60_000, folder: tmpdir() }
  await import('./extract-worker.ts')
  const [[first] = [], [second] = []] = thread.parentPort.postMessage.mock.calls
  expect(first).toEqual({ extracted: { text: 'a,b\n1,2\n', length: 8 }, tables: 'follow' })
  expect(second).toMatchObject({ built: { info: [{ rows: 1 }] } })
})
