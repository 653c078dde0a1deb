import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '../../lib/api/api-errors.ts'
import { createUploader, type UploadFile } from './file-uploader.ts'
import { createAttempts } from './import-attempts.ts'
import type { ImportWorkerClient } from './import-worker-client.ts'
import { createLeftOutCounter } from './left-out.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const storeFailure = (status: number) =>
  new ApiError({ status, code: 'store_failed', userMessage: 'The file could not be uploaded.' })
const refusal = Object.assign(new Error('403'), { name: 'UploadRefusedError' })

it.each<[store: string, errors: Error[], id: string | undefined, calls: number]>([
  ['is busy for a while', [storeFailure(503), storeFailure(503)], 'f1', 3],
  ['has failed once', [storeFailure(500)], 'f1', 2],
  ['fails at this file', Array.from({ length: 9 }, () => storeFailure(500)), undefined, 4],
  ['refuses the file', [refusal], undefined, 1],
])('a file of an export, when the store %s', async (_, errors, id, calls) => {
  const { signal } = new AbortController()
  const leftOut = createLeftOutCounter()
  const uploadFile = vi.fn<UploadFile>(async () => {
    const error = errors.shift()
    if (error) throw error
    return { id: 'f1' }
  })
  const upload = createUploader({
    uploadFile,
    worker: {} as ImportWorkerClient,
    attempts: createAttempts(signal, () => undefined),
    signal,
    leftOut,
    onUpload: () => undefined,
  })
  const uploading = upload({ id: 'e1', name: 'plan.txt', text: 'Plan' })
  await vi.runAllTimersAsync()
  expect([await uploading, uploadFile.mock.calls.length]).toEqual([id, calls])
  expect(leftOut.getCounts().refusedFiles?.count).toBe(id === undefined ? 1 : undefined)
})

it('names a file that is refused as the export does, if its message does not', async () => {
  const { signal } = new AbortController()
  const leftOut = createLeftOutCounter()
  const found = { name: 'cat.webp', blob: new Blob(['cat']) }
  const upload = createUploader({
    uploadFile: () => Promise.reject(refusal),
    worker: { request: async () => ({ found }) } as unknown as ImportWorkerClient,
    attempts: createAttempts(signal, () => undefined),
    signal,
    leftOut,
    onUpload: () => undefined,
  })
  expect(await upload({ id: 'e1', name: '' })).toBeUndefined()
  expect(leftOut.getCounts().refusedFiles?.names).toEqual(['cat.webp'])
})
