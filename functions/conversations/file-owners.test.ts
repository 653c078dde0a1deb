import { DeleteObjectsCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { aMessage, aRun } from '../../test/support/conversations.ts'
import { mockClient } from '../../test/support/mock-client.ts'
import { openTestTable } from '../../test/support/table.ts'
import { deleteExpiredFiles, deleteFile } from '../files/delete-files.ts'
import { projectUse } from '../files/file-row.ts'
import { fileRepository } from '../files/file-repository.ts'
import { openAssistants } from '../../test/support/assistants.ts'
import { openObjectStore } from '../platform/s3/object-store.ts'
import { projectRepository } from '../projects/project-repository.ts'
import { promptRepository } from '../projects/prompt-repository.ts'
import { settingsRepository } from '../settings/settings-repository.ts'
import { deleteConversation, deleteConversations } from './delete-conversation.ts'
import { deleteProject } from './delete-project.ts'
import { deleteTurn } from './delete-turn.ts'
import { claimFinishedRun } from './store/claim-finished-run.ts'
import { openConversationStores, type ConversationStores } from './store/conversation-stores.ts'
import type { EndedStatus } from './store/run.ts'
import { finishRun } from './turns/finish-run.ts'

process.env['LOG_LEVEL'] = 'silent'
const table = await openTestTable()
afterAll(() => table.close())
const s3 = mockClient(S3Client)
beforeEach(() => s3.reset().on(DeleteObjectsCommand).resolves({}))
const repository = fileRepository(table)
const store = openObjectStore('uploads')
const file = { id: 'f', name: 'plan.pdf', type: 'application/pdf', size: 9 }

interface Scene {
  sub: string
  stores: ConversationStores
  files: typeof repository
  /** what the file is used by */
  owner: string
}
type Door = (scene: Scene) => Promise<unknown>
const never = () => false

/** Ends a turn that brought the file. */
const endTurn = async (
  { sub, stores, owner }: Scene,
  { isSaved, status }: { isSaved: boolean; status: EndedStatus },
) => {
  await settingsRepository(table).update(sub, { store_uploads: false })
  const previous = await stores.runs.find(sub, owner)
  const run = await stores.runs.claim(
    aRun({
      sub,
      sessionId: owner,
      isSaved,
      turn: 2,
      fileIds: ['f'],
      startedAtMs: (previous?.startedAtMs ?? Date.now()) + 10,
    }),
    previous,
  )
  const nothing = { content: 'Yes.', toolCalls: [], attachments: [], hasCheckpoints: false }
  await finishRun(stores, run, { status, ...nothing })
}
const sweep = async ({ sub, files }: Pick<Scene, 'sub' | 'files'>) => {
  const later = Date.now() + 3 * 86_400_000
  await deleteExpiredFiles({ files, store }, sub, { files: await files.listAll(sub), nowMs: later })
}

const doors: [string, { isUsed: boolean; door: Door }][] = [
  [
    'deletion of a conversation',
    { isUsed: true, door: ({ sub, stores, owner }) => deleteConversation(stores, { sub, sessionId: owner }) },
  ],
  [
    'deletion of many conversations, as an undone import',
    {
      isUsed: true,
      door: ({ sub, stores, owner }) => deleteConversations(stores, { sub, sessionIds: [owner] }, never),
    },
  ],
  [
    'deletion of a turn',
    {
      isUsed: true,
      door: ({ sub, stores, owner }) =>
        deleteTurn(stores, { sub, sessionId: owner, messageId: `${owner}-message` }),
    },
  ],
  [
    'end of a turn whose uploads are not stored',
    { isUsed: true, door: (scene) => endTurn(scene, { isSaved: true, status: 'done' }) },
  ],
  [
    'expiry after a turn that failed',
    {
      isUsed: true,
      door: async (scene) => {
        await endTurn(scene, { isSaved: true, status: 'failed' })
        await sweep(scene)
      },
    },
  ],
  [
    'end of a turn of a temporary chat',
    { isUsed: false, door: (scene) => endTurn(scene, { isSaved: false, status: 'done' }) },
  ],
  [
    'expiry after a temporary chat whose function died',
    {
      isUsed: false,
      door: async (scene) => {
        await scene.stores.files.setExpiry(scene.sub, ['f', 'gone'])
        await sweep(scene)
      },
    },
  ],
]

/** @param onMark called before the file is marked as deleted */
async function setScene(isUsed: boolean, onMark: (sub: string) => Promise<unknown> = async () => undefined) {
  const sub = crypto.randomUUID()
  const owner = crypto.randomUUID()
  await repository.put(sub, { ...file, state: 'ready', created_at: new Date().toISOString() })
  const files: typeof repository = {
    ...repository,
    markDeleted: async (...args) => {
      await onMark(sub)
      return repository.markDeleted(...args)
    },
  }
  const stores = openConversationStores(table, { files, store })
  if (isUsed) {
    const at = new Date().toISOString()
    await stores.conversations.upsert(sub, owner, { title: 'A', addedMessages: 1, at, replacesTitle: false })
    await stores.messages.put(
      sub,
      aMessage({ id: `${owner}-message`, session_id: owner, attachments: [file] }),
      1,
    )
    await claimFinishedRun(stores, {
      sub,
      sessionId: owner,
      runId: 'r',
      turn: 1,
      messageId: 'm',
      replyId: 'r',
    })
    await repository.addReference(sub, 'f', owner)
  }
  return { sub, owner, stores, files }
}
const findOwners = async ({ sub }: Pick<Scene, 'sub'>) =>
  (await repository.listAll(sub)).map(({ used_in }) => [...(used_in ?? [])])

describe.each(doors)('%s', (_, { isUsed, door }) => {
  it('deletes a file that nothing else uses', async () => {
    const scene = await setScene(isUsed)
    await door(scene)
    expect(await findOwners(scene)).toEqual([])
  })

  it.each(['other', projectUse('p')])('keeps the file of %s', async (other) => {
    const scene = await setScene(isUsed)
    await repository.addReference(scene.sub, 'f', other)
    await door(scene)
    await sweep(scene)
    expect((await findOwners(scene))[0]).toContain(other)
    expect(s3.commandCalls(DeleteObjectsCommand)).toEqual([])
  })

  it('keeps a file that something else has begun to use meanwhile', async () => {
    const scene = await setScene(isUsed, (sub) => repository.addReference(sub, 'f', 'other'))
    await door(scene)
    expect((await findOwners(scene))[0]).toContain('other')
    expect(s3.commandCalls(DeleteObjectsCommand)).toEqual([])
  })
})

describe('deletion of a project', () => {
  async function setProject(onMark?: (sub: string) => Promise<unknown>) {
    const scene = await setScene(false, onMark)
    const { sub } = scene
    const project = await projectRepository(table).create(sub, { name: 'Thesis' })
    await repository.addReference(sub, 'f', projectUse(project.id))
    const remove = () =>
      deleteProject(
        {
          ...scene.stores,
          projects: projectRepository(table),
          prompts: promptRepository(table),
          assistants: openAssistants(table),
        },
        sub,
        { projectId: project.id, keepsConversations: false, isTimeUp: never },
      )
    return { ...scene, remove }
  }

  it('deletes its file, but not one that a conversation uses, or has begun to use meanwhile', async () => {
    const alone = await setProject()
    await alone.remove()
    expect(await findOwners(alone)).toEqual([])
    const shared = await setProject()
    await repository.addReference(shared.sub, 'f', 'other')
    const late = await setProject((sub) => repository.addReference(sub, 'f', 'other'))
    for (const scene of [shared, late]) {
      await scene.remove()
      expect(await findOwners(scene)).toEqual([['other']])
    }
  })
})

it('a user deletes a file whatever uses it', async () => {
  const scene = await setScene(true)
  await repository.addReference(scene.sub, 'f', projectUse('p'))
  await deleteFile({ files: repository, store }, scene.sub, 'f')
  expect(await findOwners(scene)).toEqual([])
})

it('the objects are deleted after the row is marked, and before it is deleted', async () => {
  const scene = await setScene(true)
  const seen: unknown[] = []
  s3.on(DeleteObjectsCommand).callsFake(async () => {
    const [row] = await repository.listAll(scene.sub)
    seen.push(row?.deleted_at)
    return {}
  })
  await deleteConversation(scene.stores, { sub: scene.sub, sessionId: scene.owner })
  expect(seen).toEqual([expect.any(String)])
  expect(await findOwners(scene)).toEqual([])
})
