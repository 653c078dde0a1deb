import { describe, expect, it, vi } from 'vitest'
import type { FileRepository } from '../../files/file-repository.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { resolveAttachments } from './resolve-attachments.ts'

const aFile = (id: string, state: StoredFile['state'] = 'ready'): StoredFile => ({
  id,
  name: `${id}.txt`,
  type: 'text/plain',
  size: 3,
  state,
  created_at: '2026-11-22T00:00:00.000Z',
})
const toResolved = (id: string) => ({
  id,
  name: `${id}.txt`,
  type: 'text/plain',
  size: 3,
  storage_path: `users/ann/${id}/original`,
  reading: { state: 'pending' },
})

const findMany = vi.fn<FileRepository['findMany']>(async (_sub, ids) => {
  const files = [aFile('a'), aFile('b'), aFile('new', 'incoming')].filter(({ id }) => ids.includes(id))
  return new Map(files.map((file) => [file.id, file]))
})
type Resolve = typeof resolveAttachments
const resolve = (references: Parameters<Resolve>[2], policy: Parameters<Resolve>[3]) =>
  resolveAttachments({ findMany }, 'ann', references, policy)

it('a file is found once by its id or a link to it', async () => {
  const link = (sub: string) => `https://example.org/users/${sub}/b/original`
  const references = [{ id: 'a', name: 'mine.png' }, { url: link('ann') }, { id: 'a' }]
  expect(await resolve(references, 'refused')).toEqual([toResolved('a'), toResolved('b')])
  expect(findMany).toHaveBeenLastCalledWith('ann', ['a', 'b'])
  await expect(resolve([{ url: link('bob') }], 'refused')).rejects.toMatchObject({
    code: 'attachment_not_found',
  })
})

it.each([[undefined], [null], [[]]])('no table is read for %j', async (references) => {
  findMany.mockClear()
  expect(await resolve(references, 'refused')).toEqual([])
  expect(findMany).not.toHaveBeenCalled()
})

describe('a missing file', () => {
  const missingFile = { id: 'gone', name: '../my\u202efile.txt', type: 'text/plain', size: 9 }

  it('is refused, needs its text, or is included by its name', async () => {
    const fileWithText = { ...missingFile, extractedText: 'Text' }
    for (const policy of ['refused', 'by text'] as const)
      await expect(resolve([missingFile], policy)).rejects.toMatchObject({ code: 'attachment_not_found' })
    await expect(resolve([fileWithText], 'refused')).rejects.toMatchObject({ code: 'attachment_not_found' })
    const namedFile = { ...missingFile, name: 'myfile.txt' }
    expect(await resolve([missingFile], 'by name')).toStrictEqual([namedFile])
    for (const policy of ['by text', 'by name'] as const)
      expect(await resolve([fileWithText], policy)).toStrictEqual([{ ...namedFile, extractedText: 'Text' }])
    expect(await resolve([{ extractedText: '' }], 'by name')).toStrictEqual([
      { id: '', name: 'file', type: '', size: 0 },
    ])
  })

  it('is named by its id, together with all other missing ones', async () => {
    const references = [{ id: 'gone' }, { id: 'a' }, { id: 'also gone' }, { name: 'without an id' }]
    await expect(resolve(references, 'refused')).rejects.toMatchObject({
      attachmentIds: ['gone', 'also gone'],
    })
  })

  it('may be one whose upload is not finished', async () => {
    const unfinished = { id: 'new', name: 'new.txt', type: 'text/plain', size: 3 }
    const withText = { ...unfinished, extractedText: 'Text' }
    expect(await resolve([unfinished], 'by name')).toStrictEqual([unfinished])
    expect(await resolve([withText], 'by text')).toStrictEqual([withText])
    for (const policy of ['refused', 'by text'] as const)
      await expect(resolve([unfinished], policy)).rejects.toMatchObject({ code: 'attachment_unfinished' })
  })

  it('may have an empty id beside a link to a file that is there', async () => {
    const url = 'https://example.org/users/ann/b/original'
    expect(await resolve([{ id: '', url }], 'refused')).toEqual([toResolved('b')])
  })

  it('has another error than an unfinished upload', async () => {
    await expect(resolve([{ id: 'new' }], 'refused')).rejects.toMatchObject({ code: 'attachment_unfinished' })
  })
})
