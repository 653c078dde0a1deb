import { expect, it, vi } from 'vitest'
import { projectUse } from '../files/file-row.ts'
import { deleteProject } from './delete-project.ts'
import { ConversationNotFound } from './store/errors.ts'

it('stops when the time is over, and keeps the project until all of its conversations are done', async () => {
  const left = ['a', 'b', 'deleted-meanwhile']
  const change = vi.fn<(sub: string, id: string) => Promise<void>>(async (_, id) => {
    left.splice(left.indexOf(id), 1)
    if (id === 'deleted-meanwhile') throw new ConversationNotFound(id)
  })
  const remove = vi.fn<() => Promise<void>>(async () => undefined)
  const deleteConversationFiles = vi.fn<() => Promise<void>>(async () => undefined)
  const pause = vi.fn<() => Promise<void>>(async () => undefined)
  const stores = {
    schedules: { pause },
    conversations: { listIdsOfProject: async () => [...left], find: async () => undefined, change },
    projects: { require: async () => undefined, remove },
    prompts: { removeOfProject: async () => undefined },
    files: { deleteConversationFiles },
    assistants: { findOwned: async () => undefined },
  } as unknown as Parameters<typeof deleteProject>[0]
  const deleteUntil = (isTimeUp: () => boolean) =>
    deleteProject(stores, 'ann', { projectId: 'p', keepsConversations: true, isTimeUp })
  expect(await deleteUntil(() => left.length === 2)).toBe(false)
  expect(left).toEqual(['b', 'deleted-meanwhile'])
  expect(remove).not.toHaveBeenCalled()
  expect(await deleteUntil(() => false)).toBe(true)
  expect(left).toEqual([])
  expect(deleteConversationFiles).toHaveBeenCalledExactlyOnceWith('ann', [projectUse('p')])
  expect(pause).toHaveBeenCalledExactlyOnceWith('ann', { projectId: 'p' })
  expect(remove).toHaveBeenCalledWith('ann', 'p')
})
