import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { RouteRequest, RouteResponse } from '#shared/contracts/route-contracts.ts'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { announcementStore } from '../../lib/browser/announce.ts'
import { ApiError, NetworkError } from '../../lib/api/api-errors.ts'
import type { BuiltConversation } from './build-conversation.ts'
import { createImportService } from './import-service.ts'
import { createImportWorkerClient, type ImportWorkerClient } from './import-worker-client.ts'
import type { ExportLibrary } from './read-library.ts'
import type { ImportProgress, ImportStorage, StoredImport } from './stored-import.ts'

const at = '2024-03-01T12:00:00.000Z'
const conversation = (id: string): BuiltConversation => ({
  source_id: id,
  title: id,
  created_at: at,
  updated_at: at,
  turns: 1,
  message_count: 1,
  messages: [{ turn: 1, role: 'user', content: 'x', created_at: at, files: [] }],
})

/** An export of one conversation in each part that the worker reads. */
let ids: readonly string[]
const emptyLibrary: ExportLibrary = { projects: [], prompts: [], memories: [], instructions: '' }
let library = emptyLibrary
const createWorker = (): ImportWorkerClient => {
  const rest = [...ids]
  const respond = (type: string) =>
    type === 'open'
      ? { library }
      : {
          conversations: [{ source: 'claude', conversation: conversation(rest.shift() ?? '') }],
          isDone: rest.length === 0,
          share: 1,
          leftOut: {},
        }
  return {
    request: (async ({ type }: { type: string }) => respond(type)) as never,
    close: () => undefined,
  }
}

let isLocked = false
/** What the browser stores, also for the page after this one. */
let stored: StoredImport | undefined
let progress: ImportProgress | undefined
const storage: ImportStorage = {
  read: async () => stored && { stored, progress },
  begin: async (begun) => void (stored = begun),
  saveProgress: async (noted) => void (progress = structuredClone(noted)),
  remove: async () => void (stored = progress = undefined),
  async runInOneTab(run) {
    if (isLocked) return false
    isLocked = true
    await run().finally(() => void (isLocked = false))
    return true
  },
}
const create = (userId = 'u') => {
  const service = createImportService(new QueryClient(), {
    userId,
    uploadFile: () => new Promise(() => undefined),
    storage,
    connectWorker: createWorker,
  })
  onTestFinished(service.close)
  return service
}
let respond: (id: string) => 'imported' | 'existing' | Promise<never>
const sent: string[] = []
beforeEach(() => {
  vi.useFakeTimers()
  stored = progress = undefined
  isLocked = false
  library = emptyLibrary
  ids = ['a', 'b', 'c', 'd', 'e']
  sent.length = 0
  respond = () => 'imported'
  fakeApi({
    'imports.add': async ({ body }: { body: RouteRequest<'imports.add'> }) => {
      const [{ source_id: id } = { source_id: '' }] = body.conversations
      sent.push(id)
      return { success: true, conversations: [{ source_id: id, state: await respond(id) }] }
    },
  })
})
afterEach(() => {
  vi.useRealTimers()
})
const fail = (status: number) =>
  Promise.reject(new ApiError({ status, code: 'internal', userMessage: 'Something failed.' }))
const offline = () => Promise.reject(new NetworkError())

it.each([
  ['fails at everything', () => fail(500), 60_000],
  ['fails at everything of a small export', () => fail(500), 60_000, ['a']],
  ['is not there', () => fail(503), 360_000],
  ['cannot be reached', offline, 360_000],
])(
  'gives up on a service that %s, says so, and can be started again',
  async (_name, failure, withinMs, all: readonly string[] = ids) => {
    ids = all
    const service = create()
    respond = failure
    void service.start([])
    await vi.advanceTimersByTimeAsync(6_000)
    expect(service.store.getState()).toMatchObject({ phase: 'running', isWaiting: true })
    await vi.advanceTimersByTimeAsync(withinMs)
    expect(service.store.getState()).toMatchObject({
      phase: 'ended',
      isCancelled: false,
      problem: expect.any(String),
      counts: { imported: 0 },
    })
    respond = () => 'imported'
    void service.start([])
    await vi.advanceTimersByTimeAsync(0)
    expect(service.store.getState()).toMatchObject({ phase: 'ended', counts: { imported: ids.length } })
  },
)

it('one conversation at which the service fails does not block those behind it', async () => {
  const service = create()
  respond = (id) => (id === 'b' ? fail(500) : 'imported')
  void service.start([])
  await vi.advanceTimersByTimeAsync(20_000)
  const { counts, leftOut, ...state } = service.store.getState() as never as Record<string, object>
  expect([state, counts, leftOut]).toMatchObject([
    { phase: 'ended' },
    { imported: 4 },
    { failedConversations: { count: 1 } },
  ])
  expect(state).not.toHaveProperty('problem')
})

it('goes on where it was after a reload, as one import', async () => {
  const first = create()
  respond = (id) => (id === 'd' ? new Promise<never>(() => undefined) : 'imported')
  void first.start([])
  await vi.advanceTimersByTimeAsync(0)
  const importId = stored?.importId
  expect([...(progress?.sentIds ?? [])]).toEqual(['a', 'b', 'c'])
  // the page is gone; the service has taken one more than the page knows
  isLocked = false
  sent.length = 0
  respond = () => 'imported'
  const second = create()
  await vi.advanceTimersByTimeAsync(0)
  expect(sent).toEqual(['d', 'e'])
  expect(second.store.getState()).toMatchObject({
    phase: 'ended',
    importId,
    counts: { imported: 5, messages: 5 },
  })
  expect(stored).toBeUndefined()
})

it('after a reload counts what was here already once, and still says what was left out before', async () => {
  const first = create()
  respond = (id) => (id === 'b' ? fail(400) : id === 'd' ? new Promise<never>(() => undefined) : 'existing')
  void first.start([])
  await vi.advanceTimersByTimeAsync(0)
  isLocked = false
  respond = () => 'existing'
  const second = create()
  await vi.advanceTimersByTimeAsync(0)
  expect(second.store.getState()).toMatchObject({
    phase: 'ended',
    counts: { imported: 0, existing: 4 },
    leftOut: { unreadableConversations: { count: 1 } },
  })
})

it('ends at once when it is cancelled, also while an export is read', async () => {
  const service = createImportService(new QueryClient(), {
    userId: 'u',
    uploadFile: () => new Promise(() => undefined),
    storage,
    connectWorker: (signal) =>
      createImportWorkerClient(
        { postMessage: () => undefined, addEventListener: () => undefined, terminate: () => undefined },
        signal,
      ),
  })
  onTestFinished(service.close)
  void service.start([])
  await vi.advanceTimersByTimeAsync(0)
  expect(service.store.getState().phase).toBe('running')
  service.cancel()
  await vi.advanceTimersByTimeAsync(0)
  expect(service.store.getState()).toMatchObject({ phase: 'ended', isCancelled: true })
})

it('that is cancelled says what it has brought until then', async () => {
  library = { ...emptyLibrary, memories: ['Likes tea', 'Lives in Rome'] }
  const memory = { id: '0000000a', text: 'Likes tea', version: 1, created_at: at }
  let requests = 0
  fakeApi({
    'memory.list': () => ({ memories: [] }),
    'memory.add': () => ((requests += 1) === 1 ? { memory } : new Promise<never>(() => undefined)),
  })
  const service = create()
  void service.start([])
  await vi.advanceTimersByTimeAsync(0)
  service.cancel()
  await vi.advanceTimersByTimeAsync(0)
  expect(service.store.getState()).toMatchObject({
    phase: 'ended',
    isCancelled: true,
    counts: { memories: 1 },
  })
})

it('creates what several archives have once, and goes on without files that a project does not get', async () => {
  const prompt = { id: 'p1', name: 'Sum up', text: 'Sum it up.', projectId: undefined }
  const files = [{ id: 'f', name: 'a.txt', text: 'Plan' }]
  library = {
    ...emptyLibrary,
    projects: [{ id: 'garden', name: 'Garden', instructions: '', files }],
    prompts: [prompt, prompt, { ...prompt, id: '', name: 'Plan' }, { ...prompt, id: '', name: 'Plan' }],
  }
  ids = ['a']
  const project = { id: 'garden', name: 'Garden', created_at: at, updated_at: at }
  const api = fakeApi({
    'projects.list': () => ({ projects: [] }),
    'projects.create': () => ({ success: true, project: { ...project, instructions: '', files: [] } }),
    'projects.update': () => {
      throw new ApiError({ status: 404, code: 'attachment_not_found', userMessage: 'It is gone.' })
    },
    'prompts.list': () => ({ prompts: [] }),
    'prompts.create': ({ body: { name, text } }) => ({
      success: true,
      prompt: { id: 'p1', name, text, created_at: at },
    }),
    'imports.add': () => ({ success: true, conversations: [{ source_id: 'a', state: 'imported' }] }),
  })
  const service = createImportService(new QueryClient(), {
    userId: 'u',
    uploadFile: async () => ({ id: 'f1' }),
    storage,
    connectWorker: createWorker,
  })
  onTestFinished(service.close)
  void service.start([])
  await vi.advanceTimersByTimeAsync(0)
  expect(api.requestsTo('prompts.create')).toHaveLength(2)
  expect(service.store.getState()).toMatchObject({
    phase: 'ended',
    counts: { projects: 1, prompts: 2, imported: 1 },
    leftOut: { refusedFiles: { count: 1, names: ['Garden'] } },
  })
  expect(service.store.getState()).not.toHaveProperty('problem')
})

it('takes files that are dropped twice once', async () => {
  const service = create()
  const phases: unknown[] = []
  service.store.subscribe(() => phases.push(service.store.getState()))
  respond = () => new Promise<never>(() => undefined)
  void service.start([])
  void service.start([])
  await vi.advanceTimersByTimeAsync(0)
  expect(phases).not.toContainEqual(expect.objectContaining({ phase: 'ended' }))
  expect(service.store.getState().phase).toBe('running')
})

it('does not run beside the import of another tab, and says so', async () => {
  isLocked = true
  const service = create()
  void service.start([])
  await vi.advanceTimersByTimeAsync(0)
  expect(service.store.getState()).toMatchObject({ phase: 'ended', problem: expect.stringMatching(/tab/) })
})

it.each([
  ['the import of another user', async () => 'other'],
  [
    'one that was cancelled',
    async (service: ReturnType<typeof create>) => {
      service.cancel()
      await vi.advanceTimersByTimeAsync(1_000)
      return 'u'
    },
  ],
])('does not go on with %s', async (_name, end) => {
  const first = create()
  respond = offline
  void first.start([])
  await vi.advanceTimersByTimeAsync(0)
  const userId = await end(first)
  sent.length = 0
  const second = create(userId)
  await vi.advanceTimersByTimeAsync(0)
  expect([sent, second.store.getState().phase, stored]).toEqual([[], 'idle', undefined])
})

it('does not go on with an import after its user has signed out', async () => {
  stored = { userId: 'u', importId: 'i1', files: [] }
  create().close()
  await vi.advanceTimersByTimeAsync(0)
  expect(sent).toEqual([])
})

it('sends nothing more of an undoing after its user has signed out', async () => {
  const undoing = Promise.withResolvers<RouteResponse<'imports.undo'>>()
  let count = 0
  const done = { success: true as const, deleted: 1, remaining: 0 }
  const api = fakeApi({ 'imports.undo': () => ((count += 1) === 1 ? undoing.promise : done) })
  const service = create()
  const undone = service.undo('i1').catch(() => undefined)
  await vi.advanceTimersByTimeAsync(0)
  service.close()
  undoing.resolve({ success: true, deleted: 1, remaining: 1 })
  await undone
  expect(api.requestsTo('imports.undo')).toHaveLength(1)
})

it('announces the end of an import', async () => {
  const service = create()
  void service.start([])
  await vi.advanceTimersByTimeAsync(0)
  expect(announcementStore.getState().text).toBe('Import finished')
  respond = offline
  void service.start([])
  await vi.advanceTimersByTimeAsync(0)
  service.cancel()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(announcementStore.getState().text).toBe('The import was cancelled.')
})

it('begins no import while one is undone, such as one of a folder that was dropped before', async () => {
  const undoing = Promise.withResolvers<RouteResponse<'imports.undo'>>()
  fakeApi({ 'imports.undo': () => undoing.promise })
  const service = create()
  await vi.advanceTimersByTimeAsync(0)
  const undone = service.undo('i1')
  void service.start([])
  await vi.advanceTimersByTimeAsync(0)
  expect(service.store.getState()).toEqual({ phase: 'undoing', importId: 'i1', remaining: undefined })
  undoing.resolve({ success: true, deleted: 1, remaining: 0 })
  await undone
  expect([service.store.getState(), stored]).toEqual([{ phase: 'idle' }, undefined])
})
