import { expect, it } from 'vitest'
import type { StoredFile } from '../../files/file-row.ts'
import type { ProjectRepository } from '../../projects/project-repository.ts'
import type { MessageFileDeps } from '../../files/file-links.ts'
import { addProjectFiles, loadProjectContext } from './project-context.ts'

/** @param texts of the files, by id, in the order of their upload; null: not readable */
function load(
  texts: Record<string, string | null>,
  maxCharacters: number,
  projectId: string | undefined = 'p1',
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
  } as unknown as MessageFileDeps
  return { reads, context: loadProjectContext({ projects, fileDeps }, 'ann', projectId, maxCharacters) }
}

it('has the texts of files in the order of their upload; short ones come with their rows', async () => {
  const { context, reads } = load({ a: 'First text', b: 'Second text' }, 1_000)
  expect(await context).toMatchObject({ name: 'Thesis', instructions: 'Be brief.', isCut: false })
  expect((await context)?.fileText).toMatch(/a\.txt[^]*First text[^]*b\.txt[^]*Second text/)
  expect(reads).toEqual([])
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

it('a text of the exact size fits', async () => {
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
  expect(await load({}, 1_000, 'deleted').context).toBeUndefined()
})

it('adds no messages for a project without files', async () => {
  const messages = [
    { role: 'system' as const, content: 'Rules' },
    { role: 'user' as const, content: 'Hello' },
  ]
  expect(addProjectFiles(messages, await load({}, 1_000).context)).toEqual(messages)
  expect(addProjectFiles(messages, undefined)).toEqual(messages)
  const added = addProjectFiles(messages, await load({ a: 'Text' }, 1_000).context)
  expect(added.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
})
