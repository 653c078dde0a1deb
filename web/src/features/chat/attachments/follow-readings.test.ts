import { expect, it, vi } from 'vitest'
import type { Attachment } from '#shared/contracts/files.ts'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { getChipStatus } from './attachment-chips.tsx'
import { followReadings } from './follow-readings.ts'
import { findSendBlocker } from './send-blocker.ts'
import { createUploadQueue } from './upload-queue.ts'

const link = { url: 'https://bucket.example/plan.docx' }
const pending = (id: string): Attachment => ({
  id,
  name: `${id}.docx`,
  type: 'application/msword',
  size: 9,
  ...link,
  reading: { state: 'pending' },
})
const openQueue = (...ids: string[]) =>
  createUploadQueue({
    upload: () => Promise.reject(new Error()),
    restored: ids.map(pending),
    onChange: () => {},
  })
const analysis = { success: true, analysis: '', error: null, hasActualContent: true, contentLength: 7 }

it('DOC-04 DEC-129 a document is ready when it has been read; asked for by its id, not by its link or its user', async () => {
  const read = { state: 'read', note: 'all 7 characters' } as const
  let answers = 0
  const api = fakeApi({
    'documents.analyze': () => ({ ...analysis, reading: (answers += 1) > 1 ? read : { state: 'pending' } }),
  })
  const queue = openQueue('a', 'b')
  const listTexts = () => queue.files.getState().map((file) => getChipStatus(file).text)
  expect(listTexts()).toEqual(['is being read', 'is being read'])
  expect(findSendBlocker(queue.files.getState())).toBeUndefined()
  await Promise.all([followReadings(queue), followReadings(queue)])
  expect(listTexts()).toEqual(['ready', 'ready'])
  const request = (id: string) => {
    const { url: _, reading: __, ...file } = pending(id)
    return { body: { file, analysisType: 'analyze' } }
  }
  expect(api.requestsTo('documents.analyze')).toEqual([request('a'), request('a'), request('b')])
})

it('a document that is sent or removed is no longer asked for', async () => {
  const api = fakeApi({ 'documents.analyze': () => new Promise<never>(() => undefined) })
  const queue = openQueue('a')
  const following = followReadings(queue)
  await vi.waitFor(() => expect(api.requestsTo('documents.analyze')).toHaveLength(1))
  queue.clear()
  await following
  expect(queue.files.getState()).toEqual([])
})
