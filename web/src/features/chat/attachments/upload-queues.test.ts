import { beforeEach, expect, it, vi } from 'vitest'
import type { Attachment } from '#shared/contracts/files.ts'
import { emitAuthEvent } from '../../../lib/api/auth-events.ts'
import { getCurrentUploadQueues } from './upload-queues.ts'

const uploads = vi.hoisted(() => ({
  uploadFile: vi.fn<(file: File, onProgress: unknown, signal: AbortSignal) => Promise<Attachment>>(),
}))
vi.mock('./upload-file.ts', () => uploads)
const revoke = vi.fn<() => void>()
Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: revoke })

beforeEach(() => localStorage.clear())

const image = (name: string) => new File(['x'], name, { type: 'image/png' })

it.each(['signed-out', 'ended'] as const)(
  'aborts the uploads of this tab when the session is over (%s): a waiting file is not sent with the next user’s token',
  async (end) => {
    const signals: AbortSignal[] = []
    uploads.uploadFile.mockReset().mockImplementation(
      (_file, _onProgress, signal) =>
        new Promise((_resolve, reject) => {
          signals.push(signal)
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    )
    const queues = getCurrentUploadQueues()
    const queue = queues.get('u/fresh')
    queue.add(['a', 'b', 'c', 'd', 'e'].map((name) => image(`${name}.png`)))
    await vi.waitFor(() => expect(signals).toHaveLength(3))
    expect(queues.isUploading()).toBe(true)

    emitAuthEvent(end)

    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true])
    await vi.waitFor(() => expect(queue.files.getState()).toEqual([]))
    expect(revoke).toHaveBeenCalledTimes(5)
    revoke.mockClear()
    expect(uploads.uploadFile).toHaveBeenCalledTimes(3)
    expect(getCurrentUploadQueues()).not.toBe(queues)
    expect(getCurrentUploadQueues().isUploading()).toBe(false)
  },
)

it('a screenshot that ends after another conversation was opened goes into the queue in which it was taken', () => {
  uploads.uploadFile.mockReset().mockImplementation(() => new Promise(() => undefined))
  const queues = getCurrentUploadQueues()
  const queue = queues.get('u/a')
  queues.get('u/b')
  queue.add([image('a.png')])
  expect(queues.get('u/a').files.getState()).toHaveLength(1)
  expect(queues.get('u/b').files.getState()).toEqual([])
  queues.discard('u/a')
})

it('discarding a draft aborts its uploads', async () => {
  let isAborted: boolean | undefined
  uploads.uploadFile.mockReset().mockImplementation(
    (_file, _onProgress, signal) =>
      new Promise(() => {
        isAborted = false
        signal.addEventListener('abort', () => (isAborted = true))
      }),
  )
  const queues = getCurrentUploadQueues()
  queues.get('u/c1').add([image('a.png')])
  await vi.waitFor(() => expect(isAborted).toBe(false))
  queues.discard('u/c1')
  expect(isAborted).toBe(true)
  expect(queues.isUploading()).toBe(false)
})

it('the files of a draft are there after a reload; those that were being uploaded have to be attached again', async () => {
  const stored: Attachment = { id: 'f', name: 'a.png', type: 'image/png', size: 1 }
  uploads.uploadFile
    .mockReset()
    .mockImplementation((file) =>
      file.name === 'a.png' ? Promise.resolve(stored) : new Promise(() => undefined),
    )
  const queue = getCurrentUploadQueues().get('u/c2')
  queue.add([image('a.png'), image('b.png')])
  await vi.waitFor(() => expect(queue.files.getState()[0]?.status).toBe('ready'))
  getCurrentUploadQueues().discard('u/c2')
  expect(getCurrentUploadQueues().get('u/c2').files.getState()).toMatchObject([
    { name: 'a.png', status: 'ready' },
    { name: 'b.png', status: 'failed', isLost: true },
  ])
})
