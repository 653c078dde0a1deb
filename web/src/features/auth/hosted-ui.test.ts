import { afterEach, expect, it, vi } from 'vitest'
import { showToast } from '../../components/ui/toast.ts'
import { showPendingToast, signedOutMessage } from './hosted-ui.ts'

vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<(...args: unknown[]) => void>() }))

afterEach(() => {
  vi.restoreAllMocks()
  vi.mocked(showToast).mockClear()
  sessionStorage.clear()
})

it('starts where the browser blocks storage', () => {
  vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  })
  expect(showPendingToast).not.toThrow()
  expect(showToast).not.toHaveBeenCalled()
})

it.each(['{', '7', '{"kind":"success"}'])('says nothing of the stored garbage %s, once', (garbage) => {
  sessionStorage.setItem('juno.signed-out', garbage)
  expect(showPendingToast).not.toThrow()
  expect(showToast).not.toHaveBeenCalled()
  expect(sessionStorage.getItem('juno.signed-out')).toBeNull()
})

it('says what was left, once', () => {
  sessionStorage.setItem('juno.signed-out', JSON.stringify(signedOutMessage))
  showPendingToast()
  showPendingToast()
  expect(vi.mocked(showToast).mock.calls).toEqual([
    ['success', 'Signed out', { description: signedOutMessage.description }],
  ])
})
