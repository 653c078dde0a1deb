import { act, cleanup, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { ApiError, NetworkError } from '../../lib/api/api-errors.ts'
import type { SignedInUser } from '../../lib/api/signed-in-user.ts'
import type { AuthEvent } from '../../lib/api/auth-events.ts'
import { useAuth } from './auth-context.ts'
import { readSessionEnd } from './session-end.ts'
import { AuthProvider } from './auth-provider.tsx'
import { loadAuthState } from './auth-state.ts'

const mocks = vi.hoisted(() => ({
  loadSignedInUser: vi.fn<() => Promise<SignedInUser | null>>(),
  clearTokens: vi.fn<(options?: { isByUser: boolean }) => Promise<string | undefined>>(),
  revokeRefreshToken: vi.fn<(refreshToken: string) => Promise<void>>(),
  showToast: vi.fn<(kind: string, title: string, options?: object) => string>(),
  startTokenRefresh: vi.fn<() => () => void>(),
  loadConfig: vi.fn<() => Promise<object>>(),
  claimPage: vi.fn<(sub: string) => boolean>(),
  dismissAllToasts: vi.fn<() => void>(),
  disablePush: vi.fn<() => Promise<void>>(),
  emitAuthEvent: vi.fn<(event: AuthEvent) => void>(),
  events: { send: (() => undefined) as (event: AuthEvent) => void },
}))
vi.mock('../../lib/api/auth-tokens.ts', () => mocks)
vi.mock('../../lib/api/config.ts', () => mocks)
vi.mock('../../lib/sign-in/store-tokens.ts', () => mocks)
vi.mock('../../lib/account/push.ts', () => mocks)
vi.mock('../../lib/sign-in/token-refresh.ts', () => mocks)
vi.mock('../../components/ui/toast.ts', () => mocks)
vi.mock('../../lib/api/auth-events.ts', () => ({
  emitAuthEvent: mocks.emitAuthEvent,
  onAuthEvent: (listener: (event: AuthEvent) => void) => {
    mocks.events.send = listener
    return () => undefined
  },
}))

const user = { sub: 'u1', email: 'mika@x.example', fullName: 'Mika' }
const notConfirmedMessage = 'You are signed out in this browser, but the sign-in service did not confirm it.'

function State() {
  const { state, signOut, expireSignIn } = useAuth()
  return (
    <>
      <button onClick={() => void signOut()} data-ended={'ended' in state ? state.ended?.atMs : undefined}>
        {state.status}
        {'ended' in state && state.ended && ` (${state.ended.reason})`}
      </button>
      <button onClick={() => void expireSignIn()}>
        {state.status === 'signed-out' ? `signed out by user: ${state.isByUser}` : 'expire'}
      </button>
    </>
  )
}

/** Renders the provider, and waits until it has read the session. */
async function renderProvider(): Promise<HTMLElement> {
  render(
    <AuthProvider>
      <State />
    </AuthProvider>,
  )
  await act(async () => undefined)
  return screen.getAllByRole('button')[0] as HTMLElement
}

beforeEach(() => {
  mocks.loadSignedInUser.mockReset().mockResolvedValue(user)
  mocks.clearTokens.mockReset().mockResolvedValue('refresh-1')
  mocks.revokeRefreshToken.mockReset().mockResolvedValue(undefined)
  mocks.showToast.mockReset()
  mocks.claimPage.mockReset().mockReturnValue(true)
  mocks.emitAuthEvent.mockReset().mockImplementation((event) => mocks.events.send(event))
  localStorage.clear()
  sessionStorage.clear()
  mocks.startTokenRefresh.mockReset().mockReturnValue(() => undefined)
})

it('AUTH-13 changes from loading to signed in, and starts the token refresh', async () => {
  let resolveUser: (user: SignedInUser | null) => void = () => undefined
  mocks.loadSignedInUser.mockReturnValue(new Promise((resolve) => (resolveUser = resolve)))
  const button = await renderProvider()
  expect(button.textContent).toBe('loading')
  expect(mocks.startTokenRefresh).not.toHaveBeenCalled()
  await act(async () => resolveUser(user))
  expect(button.textContent).toBe('signed-in')
  expect(mocks.startTokenRefresh).toHaveBeenCalledOnce()
})

it('shows the page at once if the sign-in was read before, renders it no second time, and follows what has changed since', async () => {
  const initialState = await loadAuthState()
  expect(mocks.claimPage).toHaveBeenCalledExactlyOnceWith('u1')
  const noteRender = vi.fn<() => void>()
  function Count() {
    noteRender()
    return useAuth().state.status
  }
  const { container } = render(
    <AuthProvider initialState={initialState}>
      <Count />
    </AuthProvider>,
  )
  expect(container.textContent).toBe('signed-in')
  mocks.loadSignedInUser.mockResolvedValue({ ...user })
  await act(async () => mocks.events.send('changed'))
  expect(noteRender).toHaveBeenCalledOnce()
  mocks.loadSignedInUser.mockResolvedValue(null)
  await act(async () => mocks.events.send('changed'))
  expect(container.textContent).toBe('signed-out')
})

it('ERR-10 says why the session is over if it is refused before the page is shown', async () => {
  mocks.loadSignedInUser.mockImplementation(async () => {
    mocks.events.send('disabled')
    return null
  })
  const initialState = await loadAuthState()
  mocks.loadSignedInUser.mockResolvedValue(null)
  render(
    <AuthProvider initialState={initialState}>
      <State />
    </AuthProvider>,
  )
  await act(async () => undefined)
  expect(screen.getByText('signed-out (disabled)')).toBeTruthy()
})

it('AUTH-13 changes from loading to signed out', async () => {
  mocks.loadSignedInUser.mockResolvedValue(null)
  expect((await renderProvider()).textContent).toBe('signed-out')
})

it('MENU-07 DEC-031 signs out, revokes the session and shows a toast', async () => {
  const button = await renderProvider()
  await act(async () => button.click())
  expect(button.textContent).toBe('signed-out')
  expect(mocks.revokeRefreshToken).toHaveBeenCalledExactlyOnceWith('refresh-1')
  expect(mocks.showToast.mock.calls).toEqual([
    ['success', 'Signed out', { description: 'You have been successfully signed out.' }],
  ])
})

it('signing out ends the notifications of this browser, while its token is still there (chatwoot/chatwoot#7241)', async () => {
  const steps: string[] = []
  mocks.disablePush.mockReset().mockImplementation(async () => void steps.push('push'))
  mocks.clearTokens.mockImplementation(async () => void steps.push('tokens') as undefined)
  localStorage.setItem('juno.push-owner', user.sub)
  const button = await renderProvider()
  await act(async () => button.click())
  await vi.waitFor(() => expect(steps).toEqual(['push', 'tokens']))
})

it.each([
  [
    new NetworkError({ hasTimedOut: true }),
    'You are signed out in this browser, but the sign-in service could not be reached.',
    'timed_out',
  ],
  [
    new ApiError({ status: 500, code: 'revoke_refused', userMessage: notConfirmedMessage }),
    notConfirmedMessage,
    'revoke_refused',
  ],
])(
  'AUTH-15 MENU-09 signs out although the service fails (%s), with one toast',
  async (error, description, code) => {
    mocks.revokeRefreshToken.mockRejectedValue(error)
    const button = await renderProvider()
    await act(async () => button.click())
    expect(button.textContent).toBe('signed-out')
    expect(mocks.showToast.mock.calls).toEqual([
      ['error', 'Error', { description, cause: expect.objectContaining({ code }) as unknown }],
    ])
  },
)

it.each<[AuthEvent, string]>([
  ['signed-out', 'signed-out'],
  ['expired', 'signed-in (expired)'],
  ['revoked', 'signed-in (revoked)'],
  ['changed', 'signed-in'],
])('AUTH-14 handles the event %s of any tab', async (event, status) => {
  const button = await renderProvider()
  await act(async () => mocks.events.send(event))
  expect(button.textContent).toBe(status)
})

it('signing out removes drafts and toasts, and notifies this tab and the others', async () => {
  const button = await renderProvider()
  const deleteDatabase = vi.fn<(name: string) => void>()
  vi.stubGlobal('indexedDB', { deleteDatabase })
  localStorage.setItem('draft:u1/fresh', 'unsent')
  await act(async () => button.click())
  expect(mocks.clearTokens).toHaveBeenCalledExactlyOnceWith({ isByUser: true })
  expect(mocks.emitAuthEvent).toHaveBeenCalledExactlyOnceWith('signed-out')
  expect(localStorage.getItem('draft:u1/fresh')).toBeNull()
  // the files of an import that did not end
  expect(deleteDatabase).toHaveBeenCalledExactlyOnceWith('juno-import')
  expect(mocks.dismissAllToasts).toHaveBeenCalled()
  expect(screen.getByText('signed out by user: true')).toBeDefined()
})

it('signing out in another tab removes drafts that this tab has written meanwhile', async () => {
  await renderProvider()
  localStorage.setItem('draft:files:u1/fresh', '[{"name":"late.pdf"}]')
  await act(async () => mocks.events.send('signed-out'))
  expect(JSON.stringify(localStorage)).toBe('{}')
})

it('keeps the drafts of a user whose session expired', async () => {
  await renderProvider()
  localStorage.setItem('draft:u1/fresh', 'unsent')
  await act(async () => screen.getByText('expire').click())
  expect(mocks.emitAuthEvent).toHaveBeenCalledExactlyOnceWith('ended')
  expect(screen.getByText('signed out by user: false')).toBeDefined()
  await act(async () => mocks.events.send('changed'))
  expect(localStorage.getItem('draft:u1/fresh')).toBe('unsent')
})

it('reloads the page without the drafts of the last user when another user signs in after the session expired', async () => {
  const replace = vi.fn<(address: string) => void>()
  vi.stubGlobal('location', { replace })
  await renderProvider()
  localStorage.setItem('draft:u1/fresh', 'unsent')
  await act(async () => screen.getByText('expire').click())
  mocks.emitAuthEvent.mockClear()
  mocks.loadSignedInUser.mockResolvedValue({ ...user, sub: 'u2' })
  mocks.claimPage.mockImplementation((sub) => sub === 'u1')
  await act(async () => mocks.events.send('changed'))
  expect(JSON.stringify(localStorage)).toBe('{}')
  expect(mocks.emitAuthEvent).toHaveBeenCalledWith('ended')
  expect(replace).toHaveBeenCalledExactlyOnceWith('/')
  vi.unstubAllGlobals()
})

it('ignores a session that was being read during a sign-out', async () => {
  const button = await renderProvider()
  const userRead = Promise.withResolvers<SignedInUser | null>()
  mocks.loadSignedInUser.mockReturnValueOnce(userRead.promise)
  await act(async () => mocks.events.send('changed'))
  await act(async () => button.click())
  expect(button.textContent).toBe('signed-out')
  await act(async () => userRead.resolve(user))
  expect(button.textContent).toBe('signed-out')
})

it('of two concurrent reads the later one counts, whichever completes first', async () => {
  const button = await renderProvider()
  const [firstRead, secondRead] = [
    Promise.withResolvers<SignedInUser | null>(),
    Promise.withResolvers<SignedInUser | null>(),
  ]
  mocks.loadSignedInUser.mockReturnValueOnce(firstRead.promise).mockReturnValueOnce(secondRead.promise)
  await act(async () => mocks.events.send('changed'))
  await act(async () => mocks.events.send('changed'))
  await act(async () => secondRead.resolve(null))
  expect(button.textContent).toBe('signed-out')
  await act(async () => firstRead.resolve(user))
  expect(button.textContent).toBe('signed-out')
})

it.each<[AuthEvent, number]>([
  ['expired', 0],
  // the user pool would still refresh them
  ['revoked', 1],
])('ERR-03 a session that has ended (%s) keeps its page until the user was told', async (event, removals) => {
  const button = await renderProvider()
  localStorage.setItem('draft:u1/fresh', 'unsent')
  await act(async () => mocks.events.send(event))
  expect(mocks.clearTokens).toHaveBeenCalledTimes(removals)
  // a later failure, or a page from the cache that finds no tokens, changes nothing
  mocks.loadSignedInUser.mockResolvedValue(null)
  await act(async () => mocks.events.send('expired'))
  await act(async () => mocks.events.send('changed'))
  expect(button.textContent).toBe(`signed-in (${event})`)
  expect(mocks.emitAuthEvent).not.toHaveBeenCalled()
  await act(async () => screen.getByText('expire').click())
  expect(mocks.emitAuthEvent).toHaveBeenCalledExactlyOnceWith('ended')
  expect(screen.getByText('signed out by user: false')).toBeDefined()
  expect(localStorage.getItem('draft:u1/fresh')).toBe('unsent')
})

it.each<[AuthEvent, string]>([
  ['expired', 'signed-out (expired)'],
  ['revoked', 'signed-out (revoked)'],
])(
  'ERR-10 a page that is reloaded while it says why its session has ended (%s) says so again, once, with its time',
  async (event, status) => {
    vi.useFakeTimers({ toFake: ['Date'], now: 5 })
    onTestFinished(() => void vi.useRealTimers())
    const reload = async () => {
      cleanup()
      const { textContent, dataset } = await renderProvider()
      return [textContent, dataset['ended']]
    }
    await renderProvider()
    await act(async () => mocks.events.send(event))
    mocks.loadSignedInUser.mockResolvedValue(null)
    vi.setSystemTime(9_000)
    expect(await reload()).toEqual([status, '5'])
    expect(await reload()).toEqual(['signed-out', undefined])
  },
)

it('a session that has ended and begun again is forgotten', async () => {
  await renderProvider()
  await act(async () => mocks.events.send('expired'))
  await act(async () => mocks.events.send('changed'))
  mocks.loadSignedInUser.mockResolvedValue(null)
  cleanup()
  expect((await renderProvider()).textContent).toBe('signed-out')
})

it('a session that ends while the page starts shows no page, but still says why', async () => {
  const userRead = Promise.withResolvers<SignedInUser | null>()
  mocks.loadSignedInUser.mockReturnValue(userRead.promise)
  const button = await renderProvider()
  await act(async () => mocks.events.send('expired'))
  await act(async () => userRead.resolve(null))
  expect(button.textContent).toBe('signed-out (expired)')
})

it('signing in again in another tab continues a session that has ended', async () => {
  const button = await renderProvider()
  await act(async () => mocks.events.send('expired'))
  await act(async () => mocks.events.send('changed'))
  expect(button.textContent).toBe('signed-in')
})

it('a session that ends after the user signed out changes nothing', async () => {
  const button = await renderProvider()
  await act(async () => mocks.events.send('signed-out'))
  await act(async () => mocks.events.send('expired'))
  expect(button.textContent).toBe('signed-out')
  expect(screen.getByText('signed out by user: true')).toBeDefined()
})

it('AUTH-15 signs a Google user out of the hosted pages too, and shows the toast once after the redirect back', async () => {
  const assign = vi.fn<(address: string) => void>()
  vi.stubGlobal('location', { origin: 'http://localhost:4000', assign, reload: vi.fn<() => void>() })
  mocks.loadSignedInUser.mockResolvedValue({ ...user, provider: 'Google' })
  mocks.loadConfig.mockResolvedValue({ oauthDomain: 'http://hosted', userPoolClientId: 'client' })
  const button = await renderProvider()
  await act(async () => button.click())
  expect(mocks.revokeRefreshToken).toHaveBeenCalledWith('refresh-1')
  expect(assign).toHaveBeenCalledWith(
    'http://hosted/logout?client_id=client&logout_uri=http%3A%2F%2Flocalhost%3A4000%2Fauth',
  )
  expect(mocks.showToast).not.toHaveBeenCalled()

  mocks.loadSignedInUser.mockResolvedValue(null)
  cleanup()
  await renderProvider()
  const toast = ['success', 'Signed out', { description: 'You have been successfully signed out.' }]
  expect(mocks.showToast.mock.calls).toEqual([toast])
  cleanup()
  await renderProvider()
  expect(mocks.showToast.mock.calls).toEqual([toast])
})

it('a session that ended on a page of an earlier release, which stored no time, has the time at which it is told', () => {
  sessionStorage.setItem('juno.session-ended', 'expired')
  expect(readSessionEnd()).toEqual({ reason: 'expired', atMs: expect.closeTo(Date.now(), -5) as number })
})
