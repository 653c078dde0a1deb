import { tmpdir } from 'node:os'
import { strToU8, zipSync } from 'fflate'
import { beforeEach, expect, it, vi } from 'vitest'
import type { DocumentKind } from '#shared/document-formats.ts'
import { docx, pdf, pptx, xlsx } from '../../test/support/documents.ts'
import { postExtracted } from './post-extracted.ts'

beforeEach(() => {
  // pdf.js warns of fonts; the product drops the output of its process
  vi.spyOn(console, 'warn').mockReturnValue()
})

/** What the process of a document posts. */
async function collectPosts(kind: string, bytes: Uint8Array, folder?: string) {
  const messages: unknown[] = []
  const input = { kind: kind as DocumentKind, bytes, timeMs: 60_000, ...(folder !== undefined && { folder }) }
  await postExtracted(input, (message) => {
    messages.push(message)
    return Promise.resolve()
  })
  return messages
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
  expect(await collectPosts(kind, new Uint8Array(build()))).toEqual([
    { extracted: expect.objectContaining({ text: expect.stringContaining('hello') as string }) as object },
  ])
})

it('a document that cannot be read is reported with its problem', async () => {
  expect(await collectPosts('word', strToU8('no package'))).toEqual([
    { problem: 'unreadable', detail: 'no package', kind: 'word' },
  ])
})

it('an error of the reader itself ends the process', async () => {
  await expect(collectPosts('none', strToU8('hello'))).rejects.toThrow(TypeError)
})

it('tables follow the text in a message of their own', async () => {
  const [first, second] = await collectPosts('csv', strToU8('a,b\n1,2\n'), tmpdir())
  expect(first).toEqual({ extracted: { text: 'a,b\n1,2\n', length: 8 }, tables: 'follow' })
  expect(second).toMatchObject({ built: { info: [{ rows: 1 }] } })
})
