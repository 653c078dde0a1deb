import { expect, it, vi } from 'vitest'
import { aReadDocument, anUnreadableDocument, readRangeOf } from '../../../test/support/read-documents.ts'
import type { ReadingFileDeps } from '../../files/file-links.ts'
import type { StoredFile } from '../../files/file-row.ts'
import type { ProjectRepository } from '../../projects/project-repository.ts'
import { noRoom, type PageRoom } from './shown-pages.ts'
import { addProjectFiles, loadProjectContext } from './project-context.ts'

const long = (text: string) => text.padEnd(3_000, '.')

/** @param texts of the files, by id, in the order of their upload; null: not readable */
function load(
  texts: Record<string, string | null>,
  maxBytes: number,
  {
    projectId = 'p1',
    changes = {},
    stored = texts,
    pages = noRoom,
  }: {
    projectId?: string
    changes?: Record<string, Partial<StoredFile>>
    stored?: Record<string, string | null>
    pages?: PageRoom
  } = {},
) {
  const reads: string[] = []
  let running = 0
  let most = 0
  const files = Object.entries(texts).map(([id, text], index) => {
    const row = {
      name: `${id}.txt`,
      type: 'text/plain',
      size: 10,
      created_at: `2026-01-0${index + 1}T00:00:00.000Z`,
    }
    return text === null
      ? anUnreadableDocument(id, 'It is locked.', { ...row, ...changes[id] })
      : aReadDocument(id, text, { ...row, ...changes[id] })
  })
  const projects = {
    find: async (_: string, id: string) =>
      id === 'p1'
        ? { id, name: 'Thesis', instructions: 'Be brief.', file_ids: ['b', 'a', 'gone'] }
        : undefined,
  } as unknown as ProjectRepository
  const read = readRangeOf(
    Object.fromEntries(
      Object.entries(stored).filter((entry): entry is [string, string] => entry[1] !== null),
    ),
    async (key) => {
      reads.push(key)
      running += 1
      most = Math.max(most, running)
      await new Promise(setImmediate)
      running -= 1
    },
  )
  const fileDeps = {
    // in any order
    files: { findMany: async () => new Map(files.toReversed().map((file) => [file.id, file])) },
    store: { readRange: read },
    startReading: async () => undefined,
  } as unknown as ReadingFileDeps
  const context = loadProjectContext({ projects, fileDeps }, 'ann', projectId, {
    documentBytes: maxBytes,
    pages,
  })
  return { reads, context, readMost: () => most }
}

it('has the texts of files in the order of their upload; short ones come with their rows', async () => {
  const { context, reads } = load({ a: 'First text', b: 'Second text' }, 1_000)
  expect(await context).toMatchObject({
    name: 'Thesis',
    instructions: 'Be brief.',
    size: { documentBytes: 21 },
  })
  expect((await context)?.fileText).toMatch(/a\.txt[^]*First text[^]*b\.txt[^]*Second text/)
  expect(reads).toEqual([])
})

it('names each file with how much of it is given', async () => {
  const { context } = load({ a: 'First text', b: 'Second', c: null, d: 'Text' }, 1_000, {
    changes: {
      b: { name: 'b.png', type: 'image/png' },
      d: { reading: { status: 'part', note: '2 charts were not read' } },
    },
  })
  const tag = (id: string, name: string, type: string, note: string) =>
    `<attachment id="${id}" name="${name}" type="${type}" size="1 KB" added="2026-01-0${'abcd'.indexOf(id) + 1} 00:00 UTC" note="${note}"`
  expect((await context)?.fileText).toBe(
    [
      `${tag('a', 'a.txt', 'text/plain', 'given whole')}>\nFirst text\n</attachment>`,
      `${tag('b', 'b.png', 'image/png', 'its content cannot be read')}/>`,
      `${tag('c', 'c.txt', 'text/plain', 'not readable: It is locked.')}/>`,
      `${tag('d', 'd.txt', 'text/plain', 'given whole; 2 charts were not read')}>\nText\n</attachment>`,
    ].join('\n\n'),
  )
  expect((await context)?.uses).toEqual([
    { id: 'a', name: 'a.txt', given: 10, of: 10 },
    { id: 'd', name: 'd.txt', given: 4, of: 4 },
  ])
  expect((await context)?.files.map(({ id, reading }) => [id, reading?.state])).toEqual([
    ['a', 'read'],
    ['b', undefined],
    ['c', 'unreadable'],
    ['d', 'read'],
  ])
})

it('reads long texts from the store, six at once', async () => {
  const texts = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`f${index}`, long(`Text ${index}`)]),
  )
  const { context, reads, readMost } = load(texts, 100_000)
  expect((await context)?.fileText).toContain('Text 8')
  expect([reads.length, readMost()]).toEqual([9, 6])
})

it('gives short texts whole, and of one that does not fit the beginning, with what is left out', async () => {
  const { context } = load({ a: long('First'), b: 'x'.repeat(40_000), c: 'Third' }, 12_000)
  const { fileText = '', size, uses } = (await context) ?? {}
  expect(fileText).toContain('First')
  expect(fileText).toContain('Third')
  // half of the room that is left
  expect(uses).toContainEqual({ id: 'b', name: 'b.txt', given: 4_497, of: 40_000 })
  expect(fileText).toMatch(
    /name="b\.txt"[^>]*given: the first 4,497 of 40,000 characters; [^>]*search_files">/,
  )
  expect(size?.documentBytes).toBe(3_005 + 4_497)
})

it('names a text for which there is no room', async () => {
  const { context } = load({ a: long('First'), b: 'x'.repeat(40_000) }, 3_000)
  expect((await context)?.fileText).toMatch(
    /name="b\.txt"[^>]*not given here for its length of 40,000 characters[^>]*\/>/,
  )
})

it('says when only a part of a text is kept, and when it is not stored any more', async () => {
  const { context } = load({ a: 'Text', lost: long('Lost') }, 10_000, {
    stored: { a: 'Text' },
    changes: { a: { text_length: 50 } },
  })
  expect((await context)?.fileText).toContain('note="given: the first 4 of 50 characters, more is not kept"')
  expect((await context)?.fileText).toContain('note="its text is not there any more"/>')
})

it('shows pages that texts do not show, within their room', async () => {
  const pictures: [number, number][] = [
    [1, 4],
    [2, 4],
  ]
  const { context } = load({ a: 'Text', scan: null, more: null }, 50_000, {
    stored: { a: 'Text', scan: 'picture1', more: 'picture2' },
    changes: { scan: { pictures }, more: { pictures } },
    pages: { pictures: 3, pdfPages: 0, pdfBytes: 0 },
  })
  const { fileText, pages, size } = (await context) ?? {}
  expect(fileText).toMatch(/id="scan"[^>]*note="pages without readable text follow as images: 1–2"/)
  expect(fileText).toMatch(/id="more"[^>]*note="1 of 2 pages without readable text follow as images: 1"/)
  expect(pages?.map(({ type }) => type)).toEqual(['image_url', 'image_url', 'image_url'])
  expect(size).toMatchObject({ documentBytes: 4 + 30_000, pictures: 3 })
  const [, message] = addProjectFiles([{ role: 'system', content: 'Rules' }], await context)
  expect(message?.content).toEqual([expect.objectContaining({ type: 'text' }), ...(pages ?? [])])
})

it('is nothing without a project, or with one that was deleted', async () => {
  const find = vi.fn<ProjectRepository['find']>()
  const deps = { projects: { find }, fileDeps: {} as ReadingFileDeps }
  expect(
    await loadProjectContext(deps, 'ann', undefined, { documentBytes: 1_000, pages: noRoom }),
  ).toBeUndefined()
  expect(find).not.toHaveBeenCalled()
  expect(await load({}, 1_000, { projectId: 'deleted' }).context).toBeUndefined()
})

it('adds no messages for a project without files', async () => {
  const messages = [
    { role: 'system' as const, content: 'Rules' },
    { role: 'user' as const, content: 'Hello' },
  ]
  expect(addProjectFiles(messages, await load({}, 1_000).context)).toEqual(messages)
  expect(addProjectFiles(messages, undefined)).toEqual(messages)
  expect(addProjectFiles(messages, await load({ a: 'Text' }, 1_000).context)).toEqual([
    messages[0],
    {
      role: 'user',
      content: expect.stringMatching(/^The files of the project:\n\n<attachment [^]*Text/) as string,
    },
    { role: 'assistant', content: 'I have the files of the project.' },
    messages[1],
  ])
  expect(addProjectFiles([], undefined)).toEqual([])
})
