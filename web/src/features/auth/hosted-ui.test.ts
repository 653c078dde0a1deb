import { afterEach, expect, it, vi } from 'vitest'
import { showToast } from '../../components/ui/toast.ts'
import { showPendingToast, signedOutMessage } from './hosted-ui.ts'

vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<(...args: unknown[]) => void>() }))

afterEach(() => {
  vi.restoreAllMocks()
  vi.mocked(showToast).mockClear()
  sessionStorage.clear()
})

it('does not fail when the browser blocks storage', () => {
  vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  })
  expect(showPendingToast).not.toThrow()
  expect(showToast).not.toHaveBeenCalled()
})

it.each(['{', '7', '{"kind":"success"}'])(
  'shows no toast for the invalid stored value %s, and removes it',
  (invalidValue) => {
    sessionStorage.setItem('juno.signed-out', invalidValue)
    expect(showPendingToast).not.toThrow()
    expect(showToast).not.toHaveBeenCalled()
    expect(sessionStorage.getItem('juno.signed-out')).toBeNull()
  },
)

it('shows the stored message once', () => {
  sessionStorage.setItem('juno.signed-out', JSON.stringify(signedOutMessage))
  showPendingToast()
  showPendingToast()
  expect(vi.mocked(showToast).mock.calls).toEqual([
    ['success', 'Signed out', { description: signedOutMessage.description }],
  ])
})
