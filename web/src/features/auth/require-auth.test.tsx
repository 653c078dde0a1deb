import { act, render, screen } from '@testing-library/react'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { Routes, useLocation } from '../../lib/navigation/router.tsx'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AuthContext, type AuthState } from './auth-context.ts'
import { RequireAuth } from './require-auth.tsx'

const showToast = vi.hoisted(() => vi.fn<(kind: string, title: string, options?: object) => string>())
vi.mock('../../components/ui/toast.ts', () => ({ showToast }))
beforeEach(() => void showToast.mockReset())
afterEach(() => void vi.useRealTimers())

const user = { sub: 'u1', email: 'mika@x.example', fullName: 'Mika' }
const noop = async () => undefined

function CurrentLocation() {
  const { pathname, state } = useLocation()
  return <p>{JSON.stringify({ pathname, state })}</p>
}

const expireSignIn = vi.fn<() => Promise<void>>(noop)

function open(state: AuthState) {
  return render(
    <AuthContext value={{ state, refresh: noop, expireSignIn, signOut: noop }}>
      <MemoryRouter path="/?c=abc">
        <Routes
          pages={{
            '/': <RequireAuth>{({ fullName }) => <p>Page of {fullName}</p>}</RequireAuth>,
            '/auth': <CurrentLocation />,
          }}
        />
      </MemoryRouter>
    </AuthContext>,
  )
}

it('NAV-10 DEC-015 shows only a loading screen until the session has been read', () => {
  open({ status: 'loading' })
  expect(screen.getByRole('heading').textContent).toBe('Loading')
  expect(screen.queryByText(/Page of/)).toBeNull()
})

it('NAV-11 shows the page to a signed-in user', () => {
  open({ status: 'signed-in', user })
  expect(screen.getByText('Page of Mika')).toBeDefined()
})

it('NAV-11 does not render the page for a signed-out visitor', () => {
  open({ status: 'signed-out', isByUser: false })
  expect(screen.queryByText(/Page of/)).toBeNull()
})

it('NAV-09 DEC-016 redirects a signed-out visitor to /auth, and remembers the page', () => {
  open({ status: 'signed-out', isByUser: false })
  expect(screen.getByText(/"pathname":"\/auth"/)).toBeDefined()
  expect(screen.getByText('{"pathname":"/auth","state":{"from":"/?c=abc"}}')).toBeDefined()
})

it('DEC-031 does not remember the page of a user who signed out', () => {
  open({ status: 'signed-out', isByUser: true })
  expect(screen.getByText('{"pathname":"/auth","state":null}')).toBeDefined()
})

const createAuthenticationRequired = (ended: string) => [
  'error',
  'Authentication Required',
  {
    id: 'authentication-required',
    description: 'Your session has expired. Please refresh the page and sign in again.',
    cause: { atMs: 7, code: `session_${ended}` },
  },
]
const reason = [
  'info',
  'Signed out',
  { description: 'Two-factor authentication was switched on for your account. Please sign in again.' },
]

it.each([
  ['expired' as const, []],
  ['revoked' as const, [reason]],
])(
  'ERR-10 ERR-11 LIM-03 says that the session has ended (%s), and leaves the page after 3 s',
  async (ended, later) => {
    vi.useFakeTimers()
    expireSignIn.mockClear()
    open({ status: 'signed-in', user, ended: { reason: ended, atMs: 7 } })
    expect(showToast.mock.calls).toEqual([createAuthenticationRequired(ended)])
    await act(() => vi.advanceTimersByTimeAsync(2_999))
    expect(expireSignIn).not.toHaveBeenCalled()
    expect(screen.getByText('Page of Mika')).toBeDefined()
    await act(() => vi.advanceTimersByTimeAsync(1))
    expect(expireSignIn).toHaveBeenCalledOnce()
    expect(showToast.mock.calls).toEqual([createAuthenticationRequired(ended), ...later])
  },
)

it.each([
  ['expired' as const, []],
  ['revoked' as const, [reason]],
])(
  'ERR-10 says so on the sign-in page if the session has ended (%s) before the page was shown',
  (ended, later) => {
    open({ status: 'signed-out', isByUser: false, ended: { reason: ended, atMs: 7 } })
    expect(screen.getByText('{"pathname":"/auth","state":{"from":"/?c=abc"}}')).toBeDefined()
    expect(showToast.mock.calls).toEqual([createAuthenticationRequired(ended), ...later])
  },
)

it('DEC-017 does not leave the page any more once it has gone', async () => {
  vi.useFakeTimers()
  expireSignIn.mockClear()
  open({ status: 'signed-in', user, ended: { reason: 'expired', atMs: 7 } }).unmount()
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  expect(expireSignIn).not.toHaveBeenCalled()
})
