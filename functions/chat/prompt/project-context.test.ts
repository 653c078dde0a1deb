import { expect, it, vi } from 'vitest'
import type { StoredFile } from '../../files/file-row.ts'
import type { ProjectRepository } from '../../projects/project-repository.ts'
import type { ReadingFileDeps } from '../../files/file-links.ts'
import { addProjectFiles, loadProjectContext } from './project-context.ts'

const aRow = (id: string) => ({
  id,
  name: `${id}.txt`,
  type: 'text/plain',
  size: 10,
  state: 'ready' as const,
  created_at: '2026-01-01T00:00:00.000Z',
  reading: { status: 'whole' as const, note: 'read in full' },
})

/** @param texts of the files, by id, in the order of their upload; null: not readable */
function load(
  texts: Record<string, string | null>,
  maxCharacters: number,
  {
    projectId = 'p1',
    changes = {},
  }: { projectId?: string; changes?: Record<string, Partial<StoredFile>> } = {},
) {
  const reads: [key: string, bytes: number][] = []
  const files: StoredFile[] = Object.entries(texts).map(([id, text], index) => ({
    id,
    name: `${id}.txt`,
    type: 'text/plain',
    size: 10,
    state: 'ready',
    created_at: `2026-01-0${index + 1}T00:00:00.000Z`,
    reading: {
      status: text === null ? 'failed' : 'whole',
      note: text === null ? 'It is locked.' : 'read in full',
    },
    ...(text !== null && { extracted_text: text.slice(0, 2_000) }),
    ...changes[id],
  }))
  const projects = {
    find: async (_: string, id: string) =>
      id === 'p1'
        ? { id, name: 'Thesis', instructions: 'Be brief.', file_ids: ['b', 'a', 'gone', 'lost'] }
        : undefined,
  } as unknown as ProjectRepository
  const fileDeps = {
    // in any order
    files: { findMany: async () => new Map(files.toReversed().map((file) => [file.id, file])) },
    store: {
      readBeginning: async (key: string, bytes: number) => {
        reads.push([key, bytes])
        const id = key.split('/')[2] ?? ''
        if (id === 'lost') return undefined
        const text = new TextEncoder().encode(texts[id] ?? '')
        return { bytes: text.subarray(0, bytes), etag: '' }
      },
    },
  } as unknown as ReadingFileDeps
  return { reads, context: loadProjectContext({ projects, fileDeps }, 'ann', projectId, maxCharacters) }
}

it('has the texts of files in the order of their upload; short ones come with their rows', async () => {
  const { context, reads } = load({ a: 'First text', b: 'Second text' }, 1_000)
  expect(await context).toMatchObject({ name: 'Thesis', instructions: 'Be brief.', isCut: false })
  expect((await context)?.fileText).toMatch(/a\.txt[^]*First text[^]*b\.txt[^]*Second text/)
  expect(reads).toEqual([])
})

it('names each file with what was read of it', async () => {
  const { context, reads } = load({ a: 'First text', b: 'Second', c: null }, 1_000, {
    changes: { b: { name: 'b.png', type: 'image/png' }, c: { reading: undefined as never } },
  })
  const tag = (id: string, name: string, type: string, note: string) =>
    `<attachment id="${id}" name="${name}" type="${type}" size="1 KB" note="${note}"`
  expect(await context).toStrictEqual({
    name: 'Thesis',
    instructions: 'Be brief.',
    fileText: [
      `${tag('a', 'a.txt', 'text/plain', 'read in full')}>\nFirst text\n</attachment>`,
      `${tag('b', 'b.png', 'image/png', 'its content cannot be read')}/>`,
      `${tag('c', 'c.txt', 'text/plain', 'not analysed, so its content is unknown')}/>`,
    ].join('\n\n'),
    files: ['a', 'b', 'c'].map(
      (id) => expect.objectContaining({ id, storage_path: `users/ann/${id}/original` }) as object,
    ),
    isCut: false,
  })
  expect(reads).toEqual([])
})

it.each<[string, Partial<StoredFile>]>([
  ['has none of it', { extracted_text: undefined as never }],
  ['has an empty beginning', { extracted_text: '' }],
  ['has only its beginning', { extracted_text: 'x'.repeat(2_000) }],
])('reads the text of a file whose row %s', async (_, changes) => {
  const { context, reads } = load({ a: 'The text' }, 1_000, { changes: { a: changes } })
  expect((await context)?.fileText).toContain('The text')
  expect(reads).toEqual([['users/ann/a/text', 3_001]])
})

it('reads no more than six texts at once, and none once there is no room', async () => {
  const ids = Array.from({ length: 14 }, (_, index) => `f${String(index).padStart(2, '0')}`)
  const findMany = async () =>
    new Map(ids.map((id) => [id, { ...aRow(id), extracted_text: undefined } as unknown as StoredFile]))
  const read = async (sizes: Record<string, number>, maxCharacters: number) => {
    const reads: string[] = []
    let most = 0
    let running = 0
    const store = {
      readBeginning: async (key: string) => {
        const id = key.split('/')[2] ?? ''
        reads.push(id)
        running += 1
        most = Math.max(most, running)
        await new Promise(setImmediate)
        running -= 1
        return { bytes: new TextEncoder().encode('x'.repeat(sizes[id] ?? 1)), etag: '' }
      },
    }
    const projects = { find: async () => ({ name: '', instructions: '', file_ids: ids }) }
    const deps = { projects, fileDeps: { files: { findMany }, store } } as unknown as Parameters<
      typeof loadProjectContext
    >[0]
    const context = await loadProjectContext(deps, 'ann', 'p1', maxCharacters)
    return { reads: reads.length, most, isCut: context?.isCut }
  }
  expect(await read({}, 1_000)).toEqual({ reads: 14, most: 6, isCut: false })
  expect(await read({ f00: 95 }, 100)).toEqual({ reads: 6, most: 6, isCut: true })
  // room for one more character
  expect(await read({ f00: 94 }, 100)).toEqual({ reads: 12, most: 6, isCut: true })
})

it('takes whole texts as long as they fit, and says what has to be searched', async () => {
  const long = '\u00fc'.repeat(2_500)
  const { context, reads } = load({ a: 'x'.repeat(900), b: long, c: 'Third text' }, 1_000)
  expect(await context).toMatchObject({ isCut: true })
  const { fileText = '' } = (await context) ?? {}
  expect(fileText).toContain('Third text')
  expect(fileText).toMatch(/name="b\.txt"[^>]*search_files"\/>/)
  // never more than what could fit
  expect(reads).toEqual([['users/ann/b/text', 3_001]])
})

it('texts share the room', async () => {
  const texts = { a: 'x'.repeat(600), b: 'y'.repeat(401), c: 'z'.repeat(400) }
  const { fileText = '', isCut } = (await load(texts, 1_000).context) ?? {}
  expect(isCut).toBe(true)
  expect(fileText).toMatch(/x{600}[^]*name="b\.txt"[^>]*search_files"\/>[^]*z{400}/)
})

it('a text of the exact size fits, in the row or in the store', async () => {
  expect(await load({ a: 'x'.repeat(1_000) }, 1_000).context).toMatchObject({ isCut: false })
  expect(await load({ a: 'x'.repeat(1_000) }, 999).context).toMatchObject({ isCut: true })
  // three bytes each, as many as are read
  expect(await load({ a: '水'.repeat(2_500) }, 2_500).context).toMatchObject({ isCut: false })
  expect(await load({ a: '水'.repeat(2_501) }, 2_500).context).toMatchObject({ isCut: true })
  // a byte order mark is no character of the text
  expect(await load({ a: `\ufeff${'水'.repeat(2_500)}` }, 2_500).context).toMatchObject({ isCut: true })

  const text = '\u00fc'.repeat(2_500)
  expect(await load({ a: text }, 2_500).context).toMatchObject({ isCut: false })
  expect(await load({ a: text }, 2_499).context).toMatchObject({ isCut: true })
})

it('names files that were not read, which nothing could search', async () => {
  const { context } = load({ a: null }, 1_000)
  expect(await context).toMatchObject({ isCut: false })
  expect((await context)?.fileText).toContain('note="not readable: It is locked."/>')
})

it('a text that is not stored any more is no text that is too long', async () => {
  const { context } = load({ a: 'Text', lost: 'x'.repeat(2_500) }, 10_000)
  expect(await context).toMatchObject({ isCut: false })
  expect((await context)?.fileText).toContain('note="its text is not there any more"/>')
})

it('is nothing without a project, or with one that was deleted', async () => {
  const find = vi.fn<ProjectRepository['find']>()
  const deps = { projects: { find }, fileDeps: {} as ReadingFileDeps }
  expect(await loadProjectContext(deps, 'ann', undefined, 1_000)).toBeUndefined()
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
  const added = addProjectFiles(messages, await load({ a: 'Text' }, 1_000).context)
  expect(added).toEqual([
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
