import { beforeEach, expect, it, vi } from 'vitest'
import { isRetryable, NetworkError } from '../../../lib/api/api-errors.ts'
import { uploadForm, UploadRefusedError } from './upload-form.ts'

class FakeRequest extends EventTarget {
  static last: FakeRequest
  readonly upload = new EventTarget()
  status = 204
  sentForm: FormData | undefined
  readonly openArguments: string[] = []
  constructor() {
    super()
    FakeRequest.last = this
  }
  open(...parts: string[]) {
    this.openArguments.push(...parts)
  }
  send(form: FormData) {
    this.sentForm = form
  }
  abort() {
    this.dispatchEvent(new Event('abort'))
  }
}

beforeEach(() => vi.stubGlobal('XMLHttpRequest', FakeRequest))

const upload = { url: 'https://bucket.example/', fields: { key: 'incoming/a', policy: 'p' } }
const startUpload = (signal = new AbortController().signal) => {
  const shares: number[] = []
  const done = uploadForm(upload, new Blob(['hello']), (share) => shares.push(share), signal)
  return { shares, done, request: FakeRequest.last }
}

it('sends the fields first and the file last, and reports the bytes sent', async () => {
  const { shares, done, request } = startUpload()
  expect(request.openArguments).toEqual(['POST', 'https://bucket.example/'])
  expect([...(request.sentForm?.keys() ?? [])]).toEqual(['key', 'policy', 'file'])
  request.upload.dispatchEvent(new ProgressEvent('progress', { lengthComputable: true, loaded: 3, total: 4 }))
  request.upload.dispatchEvent(new ProgressEvent('progress', { lengthComputable: false, loaded: 4 }))
  request.dispatchEvent(new Event('load'))
  await done
  expect(shares).toEqual([0.75])
})

it.each([400, 403, 413])(
  'rejects with an UploadRefusedError when the store refuses the upload: %i',
  async (status) => {
    const { done, request } = startUpload()
    request.status = status
    request.dispatchEvent(new Event('load'))
    await expect(done).rejects.toBeInstanceOf(UploadRefusedError)
  },
)

it.each([500, 503])(
  'rejects with an error that can be retried when the store is busy or fails: %i',
  async (status) => {
    const { done, request } = startUpload()
    request.status = status
    request.dispatchEvent(new Event('load'))
    const error: unknown = await done.catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'ApiError', status })
    expect(isRetryable(error)).toBe(true)
  },
)

it('rejects with a NetworkError when the connection is lost', async () => {
  const { done, request } = startUpload()
  request.dispatchEvent(new Event('error'))
  await expect(done).rejects.toBeInstanceOf(NetworkError)
})

it('rejects with the reason of an abort', async () => {
  const controller = new AbortController()
  const { done } = startUpload(controller.signal)
  controller.abort(new DOMException('gone', 'AbortError'))
  await expect(done).rejects.toMatchObject({ name: 'AbortError' })
})
