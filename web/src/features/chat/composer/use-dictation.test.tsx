import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { ApiError } from '../../../lib/api/api-errors.ts'
import { readDraft } from '../../../lib/input/drafts.ts'
import { closeUserResources } from '../../../lib/actions/user-resources.ts'
import type { Recorder } from './recorder.ts'
import { useDictation } from './use-dictation.ts'

vi.mock('../../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))
vi.mock('./recorder.ts', () => ({
  startRecorder: async (): Promise<Recorder> => {
    const { promise, resolve } = Promise.withResolvers<Blob>()
    return { recording: promise, finish: () => resolve(new Blob(['sound'], { type: 'audio/webm' })) }
  },
}))

const draftKey = 'ann/c1:tab'
let client: QueryClient
let transcribed: PromiseWithResolvers<void>
let api: ReturnType<typeof fakeApi>
beforeEach(() => {
  vi.mocked(showToast).mockReset()
  client = new QueryClient()
  transcribed = Promise.withResolvers()
  api = fakeApi({
    'speech.transcribe': async () => {
      await transcribed.promise
      return { success: true, text: 'Good morning' }
    },
  })
})

async function startDictation() {
  const view = renderHook(() => useDictation(draftKey), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
    reactStrictMode: true,
  })
  await act(async () => void view.result.current.record())
  const { phase } = view.result.current
  return { ...view, finish: () => act(async () => phase.name === 'recording' && phase.recorder.finish()) }
}
const respond = () =>
  act(async () => {
    transcribed.resolve()
    await vi.waitFor(() => expect(api.requestsTo('speech.transcribe')).toHaveLength(1))
  })
const isWarned = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))

it('what was said before the user left is added to the draft; until then the browser asks before the page is closed', async () => {
  const { unmount } = await startDictation()
  unmount()
  await vi.waitFor(() => expect(api.requestsTo('speech.transcribe')).toHaveLength(1))
  expect(isWarned()).toBe(true)
  await respond()
  await vi.waitFor(() => expect(readDraft(draftKey)).toBe('Good morning'))
  expect(isWarned()).toBe(false)
})

it('what is said while the conversation is shown is added to its message', async () => {
  document.body.innerHTML = '<textarea data-composer>Now: </textarea>'
  const { finish } = await startDictation()
  await finish()
  await respond()
  await vi.waitFor(() => expect(document.querySelector('textarea')?.value).toContain('Good morning'))
  expect(readDraft(draftKey)).toBe('')
})

it('after a sign-out nothing is sent, and what comes back is not stored', async () => {
  const recording = await startDictation()
  recording.unmount()
  closeUserResources(client)
  await act(async () => undefined)
  expect(api.requestsTo('speech.transcribe')).toEqual([])

  client = new QueryClient()
  const { finish, unmount } = await startDictation()
  await finish()
  unmount()
  closeUserResources(client)
  await respond()
  await vi.waitFor(() => expect(isWarned()).toBe(false))
  expect([readDraft(draftKey), vi.mocked(showToast).mock.calls]).toEqual(['', []])
})

it('what was not written down is told to who leaves the conversation, and not after a sign-out', async () => {
  const fail = async () => {
    const recording = await startDictation()
    await recording.finish()
    await act(async () =>
      transcribed.reject(new ApiError({ status: 502, code: 'model_error', userMessage: 'Busy.' })),
    )
    await vi.waitFor(() => expect(recording.result.current.phase.name).toBe('failed'))
    vi.mocked(showToast).mockClear()
    return recording
  }
  const first = await fail()
  first.unmount()
  expect(showToast).toHaveBeenCalledOnce()

  const second = await fail()
  closeUserResources(client)
  second.unmount()
  expect(showToast).not.toHaveBeenCalled()
})
