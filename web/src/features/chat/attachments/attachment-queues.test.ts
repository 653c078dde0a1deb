import { expect, it, vi } from 'vitest'
import type { Attachment } from '#shared/contracts/files.ts'
import { emitSignOut } from '../../../lib/auth-events.ts'
import { currentAttachmentQueues } from './attachment-queues.ts'

const uploads = vi.hoisted(() => ({
  uploadFile: vi.fn<(file: File, onProgress: unknown, signal: AbortSignal) => Promise<Attachment>>(),
}))
vi.mock('./upload-file.ts', () => uploads)
const revoke = vi.fn<() => void>()
Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: revoke })

const picture = (name: string) => new File(['x'], name, { type: 'image/png' })

it.each(['signed-out', 'ended'] as const)(
  'a session that is over (%s) ends uploads in the tab itself: a waiting file is not sent with the next user’s token',
  async (end) => {
    const signals: AbortSignal[] = []
    uploads.uploadFile.mockReset().mockImplementation(
      (_file, _onProgress, signal) =>
        new Promise((_resolve, reject) => {
          signals.push(signal)
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    )
    const trays = currentAttachmentQueues()
    const tray = trays.get('u/fresh')
    tray.add(['a', 'b', 'c', 'd', 'e'].map((name) => picture(`${name}.png`)))
    await vi.waitFor(() => expect(signals).toHaveLength(3))
    expect(trays.isUploading()).toBe(true)

    emitSignOut(end)

    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true])
    await vi.waitFor(() => expect(tray.files.getState()).toEqual([]))
    expect(revoke).toHaveBeenCalledTimes(5)
    revoke.mockClear()
    expect(uploads.uploadFile).toHaveBeenCalledTimes(3)
    expect(currentAttachmentQueues()).not.toBe(trays)
    expect(currentAttachmentQueues().get('u/fresh').files.getState()).toEqual([])
  },
)

it('a tray without files is forgotten with the next one, another one is not', async () => {
  uploads.uploadFile.mockReset().mockImplementation(() => new Promise(() => undefined))
  const trays = currentAttachmentQueues()
  const [empty, full] = [trays.get('u/empty'), trays.get('u/full')]
  expect(trays.get('u/full')).toBe(full)
  full.add([picture('a.png')])
  trays.get('u/next')
  expect(trays.get('u/full')).toBe(full)
  expect(trays.get('u/empty')).not.toBe(empty)
  trays.discard('u/full')
})

it('discarding a draft aborts its uploads', async () => {
  let aborted: boolean | undefined
  uploads.uploadFile.mockReset().mockImplementation(
    (_file, _onProgress, signal) =>
      new Promise(() => {
        aborted = false
        signal.addEventListener('abort', () => (aborted = true))
      }),
  )
  const trays = currentAttachmentQueues()
  trays.get('u/c1').add([picture('a.png')])
  await vi.waitFor(() => expect(aborted).toBe(false))
  trays.discard('u/c1')
  expect(aborted).toBe(true)
  expect(trays.get('u/c1').files.getState()).toEqual([])
})
