import { expect, it, vi } from 'vitest'
import type { Attachment } from '#shared/contracts/files.ts'
import { maxFileBytes, maxMediaBytes } from '#shared/limits.ts'
import { ApiError, NetworkError } from '../../../lib/api/api-errors.ts'
import { getChipStatus } from './attachment-chips.tsx'
import { validateFile } from './file-limits.ts'
import { findSendBlocker } from './send-blocker.ts'
import { UploadRefusedError } from './upload-form.ts'
import { createUploadQueue, type DraftAttachment, type SavedFile } from './upload-queue.ts'

const storedFile = (name: string): Attachment => ({ id: `id-${name}`, name, type: 'text/plain', size: 5 })
const file = (name: string, content = 'hello') => new File([content], name, { type: 'text/plain' })
const settle = () => new Promise((resolve) => setTimeout(resolve))

function setUp(restored: SavedFile[] = []) {
  const uploads: {
    name: string
    resolve: (attachment: Attachment) => void
    reject: (reason: unknown) => void
    signal: AbortSignal
    progress: (share: number) => void
  }[] = []
  const onChange = vi.fn<(files: readonly SavedFile[]) => void>()
  const queue = createUploadQueue({
    upload: (source, progress, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<Attachment>()
      uploads.push({ name: source.name, resolve, reject, signal, progress })
      return promise
    },
    restored,
    onChange,
  })
  const listStatuses = () => queue.files.getState().map(({ status }) => status)
  return { queue, uploads, onChange, listStatuses }
}

it('ATT-01 uploads three files at a time, in order', async () => {
  const { queue, uploads, listStatuses } = setUp()
  queue.add(['a', 'b', 'c', 'd'].map((name) => file(name)))
  expect(listStatuses()).toEqual(['uploading', 'uploading', 'uploading', 'waiting'])
  uploads[1]?.resolve(storedFile('b'))
  await vi.waitFor(() => expect(listStatuses()).toEqual(['uploading', 'ready', 'uploading', 'uploading']))
  expect(uploads.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
})

it('shows the upload progress, then that the file is being checked', () => {
  const { queue, uploads } = setUp()
  queue.add([file('a')])
  uploads[0]?.progress(0.64)
  expect(queue.files.getState()[0]).toMatchObject({ status: 'uploading', progress: 0.64 })
  uploads[0]?.progress(1)
  expect(queue.files.getState()[0]?.status).toBe('checking')
})

it('ATT-05 aborts the upload of a removed file and ignores its result', async () => {
  const { queue, uploads } = setUp()
  queue.add([file('a')])
  queue.remove(queue.files.getState()[0]?.key ?? '')
  expect(uploads[0]?.signal.aborted).toBe(true)
  uploads[0]?.resolve(storedFile('a'))
  await settle()
  expect(queue.files.getState()).toEqual([])
})

it.each([
  [new NetworkError(), 'The connection was lost.', true],
  [
    new ApiError({ status: 422, code: 'file_differs', userMessage: 'Not what it says.' }),
    'Not what it says.',
    false,
  ],
  [
    new ApiError({ status: 429, code: 'too_many_requests', userMessage: 'Wait 5 seconds.' }),
    'Wait 5 seconds.',
    true,
  ],
  [new ApiError({ status: 429, code: 'too_many_uploads', userMessage: 'Tomorrow.' }), 'Tomorrow.', false],
  [new ApiError({ status: 409, code: 'upload_missing', userMessage: 'Missing.' }), 'Missing.', true],
  [new ApiError({ status: 503, code: 'store_failed', userMessage: 'Not uploaded.' }), 'Not uploaded.', true],
  [new UploadRefusedError('S3'), 'The upload was refused.', true],
  [new Error('unknown'), 'The file could not be uploaded.', true],
])('says why an upload failed: %s', async (error, message, canRetry) => {
  const { queue, uploads } = setUp()
  queue.add([file('a')])
  uploads[0]?.reject(error)
  await vi.waitFor(() =>
    expect(queue.files.getState()[0]).toMatchObject({ status: 'failed', error: message, canRetry }),
  )
})

it('retries a failed upload', async () => {
  const { queue, uploads } = setUp()
  queue.add([file('a')])
  uploads[0]?.reject(new NetworkError())
  await vi.waitFor(() => expect(queue.files.getState()[0]?.status).toBe('failed'))
  queue.retry(queue.files.getState()[0]?.key ?? '')
  expect(queue.files.getState()[0]).toMatchObject({ status: 'uploading', progress: 0 })
  expect(queue.files.getState()[0]?.error).toBeUndefined()
  uploads[1]?.resolve(storedFile('a'))
  await vi.waitFor(() => expect(queue.files.getState()[0]?.status).toBe('ready'))
  expect(queue.files.getState()[0]?.attachment).toEqual(storedFile('a'))
})

it('ATT-07 DEC-036 rejects empty, too large and too many files before uploading them', () => {
  const fileOfSize = (name: string, size: number) => ({ name, type: '', size })
  expect(validateFile(fileOfSize('a.pdf', maxFileBytes))).toBeUndefined()
  expect(validateFile(fileOfSize('a.pdf', maxFileBytes + 1))).toBe('Larger than 20 MB.')
  expect(validateFile(fileOfSize('a.zip', maxFileBytes + 1))).toBe('Larger than 20 MB.')
  expect(validateFile(fileOfSize('a.mp4', maxMediaBytes))).toBeUndefined()
  expect(validateFile(fileOfSize('a.mp4', maxMediaBytes + 1))).toBe('Larger than 200 MB.')
  const { queue, uploads } = setUp()
  const twenty = Array.from({ length: 20 }, (_, index) => file(`f${index}`))
  expect(queue.add([file('empty', ''), ...twenty])).toEqual([
    { name: 'empty', reason: 'The file is empty.' },
    ...twenty.slice(10).map(({ name }) => ({ name, reason: 'A message can have up to 10 files.' })),
  ])
  expect(queue.files.getState()).toHaveLength(10)
  expect(uploads).toHaveLength(3)
})

it('reports its files in order, those that are not stored yet without an id, and that none is left when cleared', async () => {
  const { queue, uploads, onChange } = setUp([storedFile('old')])
  expect(queue.files.getState()[0]).toMatchObject({ status: 'ready', name: 'old' })
  const [a, b] = [file('a'), file('b')]
  const unfinished = ({ name, type, size }: File) => ({ name, type, size })
  queue.add([a, b])
  expect(onChange).toHaveBeenLastCalledWith([storedFile('old'), unfinished(a), unfinished(b)])
  uploads[0]?.progress(0.5)
  expect(onChange).toHaveBeenCalledOnce()
  uploads[1]?.resolve(storedFile('b'))
  await vi.waitFor(() =>
    expect(onChange).toHaveBeenLastCalledWith([storedFile('old'), unfinished(a), storedFile('b')]),
  )
  queue.clear()
  expect(onChange).toHaveBeenLastCalledWith([])
})

it('a file whose upload ended with the page blocks its message until it is attached again', () => {
  const { queue } = setUp([{ name: 'a', type: 'text/plain', size: 5 }, storedFile('b')])
  expect(queue.files.getState()).toMatchObject([
    { name: 'a', status: 'failed' },
    { name: 'b', status: 'ready' },
  ])
  expect(queue.files.getState().map((one) => getChipStatus(one).text)).toEqual([
    'Not uploaded. Attach it again.',
    'ready',
  ])
  expect(findSendBlocker(queue.files.getState())?.isUploading).toBe(false)
  queue.add([file('a')])
  expect(queue.files.getState().map(({ name, status }) => [name, status])).toEqual([
    ['b', 'ready'],
    ['a', 'uploading'],
  ])
})

it('aborts uploads and reports nothing once it is closed', async () => {
  const { queue, uploads, onChange } = setUp([storedFile('old')])
  queue.add([file('a')])
  onChange.mockClear()
  queue.close()
  uploads[0]?.resolve(storedFile('a'))
  await settle()
  expect([uploads[0]?.signal.aborted, onChange.mock.calls]).toEqual([true, []])
})

const draftFile = (changes: Partial<DraftAttachment>): DraftAttachment => ({
  key: 'k',
  name: 'a.csv',
  type: '',
  size: 1,
  status: 'ready',
  progress: 0,
  ...changes,
})

it('a chip shows the status of its file', () => {
  expect(getChipStatus(draftFile({ status: 'uploading', progress: 0.649 })).text).toBe('uploading 64 %')
  expect(getChipStatus(draftFile({ status: 'checking' })).text).toBe('checking')
  expect(getChipStatus(draftFile({ status: 'failed', error: 'Too late.' }))).toEqual({
    text: 'Too late.',
    tone: 'bad',
  })
  expect(getChipStatus(draftFile({}))).toEqual({ text: 'ready', tone: 'ok' })
  const reading = { state: 'unreadable', note: 'It is locked.' } as const
  expect(getChipStatus(draftFile({ attachment: { ...storedFile('a'), reading } }))).toEqual({
    text: 'It is locked.',
    tone: 'bad',
  })
})

it('DEC-112 a chip says before sending that the content is not read', () => {
  for (const name of ['a.mp4', 'a.mp3', 'a.zip', 'a.rar'])
    expect(getChipStatus(draftFile({ name })).text).toBe('attached, content is not read')
})

it('a chip says whether a picture is looked at', () => {
  const attachment = { id: 'i', name: 'a.bmp', type: 'image/bmp', size: 1, url: 'https://x' }
  const bmp = { name: 'a.bmp', type: 'image/bmp' }
  expect(getChipStatus(draftFile({ ...bmp, attachment })).text).toBe(
    'attached; this browser cannot convert it, so it is not looked at',
  )
  expect(
    getChipStatus(draftFile({ ...bmp, attachment: { ...attachment, previewUrl: 'https://y' } })).text,
  ).toBe('ready')
})

it('a stored file has the type of its content', async () => {
  const { queue, uploads } = setUp()
  queue.add([new File(['x'], 'Dockerfile')])
  uploads[0]?.resolve({ ...storedFile('Dockerfile'), type: 'text/plain' })
  await vi.waitFor(() =>
    expect(queue.files.getState()[0]).toMatchObject({ status: 'ready', type: 'text/plain' }),
  )
})

it('a document of another service has the name and the size of what it became, and too large a one is not asked for', async () => {
  const { queue, uploads } = setUp()
  const copy = () => Promise.reject(new Error('the queue leaves this to its caller'))
  const type = 'application/vnd.google-apps.document'
  const rejected = queue.add([
    { name: 'Plan', type, copy },
    { name: 'big.zip', type: 'application/zip', size: maxFileBytes + 1, copy },
  ])
  expect(rejected.map(({ name }) => name)).toEqual(['big.zip'])
  uploads[0]?.resolve({ ...storedFile('Plan.docx'), size: 300 })
  await vi.waitFor(() =>
    expect(queue.files.getState()).toMatchObject([{ name: 'Plan.docx', size: 300, status: 'ready' }]),
  )
})

it('says why sending has to wait', () => {
  expect(findSendBlocker([draftFile({})])).toBeUndefined()
  expect(findSendBlocker([draftFile({ status: 'uploading' }), draftFile({ status: 'waiting' })])).toEqual({
    reason: 'Sends when 2 uploads are finished.',
    isUploading: true,
  })
  expect(
    findSendBlocker([draftFile({ status: 'uploading' }), draftFile({ status: 'failed', canRetry: true })]),
  ).toEqual({ reason: 'One file could not be attached. Retry or remove it.', isUploading: false })
})

it('a refused file does not block the others', () => {
  const refused = draftFile({ status: 'failed', canRetry: false, error: 'A program.' })
  expect(findSendBlocker([refused])).toBeUndefined()
  expect(findSendBlocker([refused, draftFile({ status: 'uploading' })])).toEqual({
    reason: 'Sends when the upload is finished.',
    isUploading: true,
  })
})

it('a queue that was closed at the sign-out takes no files: they would be uploaded for the next user', () => {
  const { queue, uploads } = setUp()
  queue.close()
  expect(queue.add([file('a')])).toEqual([])
  expect(queue.addSaved([storedFile('b')])).toBe(false)
  expect(uploads).toEqual([])
  expect(queue.files.getState()).toEqual([])
})
