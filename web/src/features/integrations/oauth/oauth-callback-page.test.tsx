import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Connection } from '#shared/contracts/integrations.ts'
import { ApiError, NetworkError } from '../../../lib/api/api-errors.ts'
import { saveAttempt } from './oauth-attempt.ts'
import { OAuthCallbackPage } from './oauth-callback-page.tsx'
import { type RouteHandlers, fakeApi, removeSession } from '../../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../../test/support/render-page.tsx'
import { anIntegration } from '../../../../../test/support/connections.ts'

const onMessage = vi.fn<(data: unknown) => void>()
let channel: BroadcastChannel
const close = vi.fn<() => void>()
let api: ReturnType<typeof fakeApi>
let stateCount = 0
let state: string
let rows: Connection[]

const success = { success: true, message: 'Connected', provider: 'Slack', mcpId: 'slack' } as const
const expiredMessage = 'OAuth state not found. The authentication flow might have expired.'
const failWith =
  (userMessage: string, code = 'refused', status = 400) =>
  () => {
    throw new ApiError({ status, code, userMessage })
  }

/** Opens the page, and waits for the responses to its first requests. */
async function open(query: string, handlers: RouteHandlers = {}, path = '/oauth/callback') {
  api = fakeApi({
    'oauth.handle': () => success,
    'integrations.list': () => ({ integrations: rows }),
    ...handlers,
  })
  renderPage(<OAuthCallbackPage />, `${path}${query}`)
  await advance(0)
}
const openWithCode = (handlers?: RouteHandlers) => open(`?code=c1&state=${state}`, handlers)
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const setPopup = (isPopup: boolean) => {
  if (isPopup) sessionStorage.setItem('oauth-popup', '1')
  else sessionStorage.removeItem('oauth-popup')
}
/** Waits with real timers, because fake ones do not control a BroadcastChannel. */
const expectMessage = async (message: unknown) => {
  vi.useRealTimers()
  await waitFor(() => expect(onMessage).toHaveBeenCalledWith(message))
}
const getHeading = () => screen.getByRole('heading').textContent

beforeEach(() => {
  vi.useFakeTimers()
  onMessage.mockReset()
  channel = new BroadcastChannel('oauth')
  channel.addEventListener('message', ({ data }) => onMessage(data))
  close.mockReset()
  vi.stubGlobal('close', close)
  setPopup(true)
  stateCount += 1
  state = `s${stateCount}`
  rows = []
})
afterEach(() => {
  channel.close()
  vi.useRealTimers()
})

describe('the OAuth callback page', () => {
  it('OAUTH-06 shows that it is connecting, then that it is connected', async () => {
    const response = Promise.withResolvers<typeof success>()
    await openWithCode({ 'oauth.handle': () => response.promise })
    expect(getHeading()).toBe('Connecting…')
    expect(onMessage).not.toHaveBeenCalled()
    response.resolve(success)
    await advance(0)
    expect(getHeading()).toBe('Slack is connected')
  })

  it('names its state in the title of the tab', async () => {
    const response = Promise.withResolvers<typeof success>()
    await openWithCode({ 'oauth.handle': () => response.promise })
    expect(document.title).toBe('Connecting - Juno')
    response.resolve(success)
    await advance(0)
    expect(document.title).toBe('Connected - Juno')
    cleanup()
    await open('?error=access_denied')
    expect(document.title).toBe('Not connected - Juno')
  })

  it('OAUTH-07 OAUTH-14 DEC-089 exchanges the code in the URL once', async () => {
    await openWithCode()
    expect(new URLSearchParams(location.search).has('code')).toBe(false)
    expect(api.requestsTo('oauth.handle')).toHaveLength(1)
    expect(api.requestsTo('oauth.handle')).toEqual([
      {
        body: {
          action: 'exchange',
          code: 'c1',
          state,
          redirect_uri: `${location.origin}/oauth/callback`,
        },
      },
    ])
  })

  it('OAUTH-08 OAUTH-10 DEC-094 notifies the waiting page, and closes after 2 s', async () => {
    await openWithCode()
    await advance(1999)
    expect(close).not.toHaveBeenCalled()
    await advance(1)
    expect(close).toHaveBeenCalledOnce()
    await expectMessage({ type: 'oauth-success', state })
  })

  it('OAUTH-08 DEC-096 opens the main screen after 2 s if no page is waiting', async () => {
    setPopup(false)
    await openWithCode()
    await advance(1999)
    expect(screen.queryByText('main screen')).toBeNull()
    await advance(1)
    expect(screen.getByText('main screen')).toBeTruthy()
    expect(close).not.toHaveBeenCalled()
  })

  it('exchanges a code with the redirect URI at which it arrived (H1)', async () => {
    const path = '/oauth/server-callback/0123456789abcdef'
    await open(`?code=c1&state=${state}`, {}, path)
    expect(api.requestsTo('oauth.handle')[0]?.body).toMatchObject({
      redirect_uri: `${location.origin}${path}`,
    })
  })

  it.each([
    'code=c1&code=c2&state=s',
    'code=c1&state=s&state=t',
    'iss=https://evil.example&code=c1&state=s&iss=x',
  ])('rejects a response with a repeated parameter (H1): %s', async (query) => {
    await open(`?${query}`)
    expect(api.requests).toEqual([])
    expect(screen.getByRole('alert').textContent).toContain('Missing authorization code or state')
  })

  it('passes on the issuer of the code', async () => {
    await open(`?code=c1&state=${state}&iss=https%3A%2F%2Fauth.example`)
    expect(api.requestsTo('oauth.handle')[0]?.body).toMatchObject({ iss: 'https://auth.example' })
  })

  it.each([
    [
      'OAUTH-13',
      '?error=access_denied&state=x',
      'OAuth provider error: access_denied. The permission was not granted, by you or by the provider.',
    ],
    [
      'OAUTH-13',
      '?error=Call+%2B1+555+0100+to+unlock+your+account&state=x',
      'OAuth provider error: the provider gave no known reason.',
    ],
    ['OAUTH-13', '?error=constructor&state=x', 'OAuth provider error: the provider gave no known reason.'],
    [
      'OAUTH-13',
      '?error=invalid_client',
      'OAuth provider error: invalid_client. The provider does not accept the Client ID of the app.',
    ],
    [
      'OAUTH-13',
      '?error=consent_required',
      'OAuth provider error: consent_required. Please grant the permission at the provider first.',
    ],
    ['OAUTH-12', '', 'Missing authorization code or state parameter'],
    ['OAUTH-12', '?code=c', 'Missing authorization code or state parameter'],
    ['OAUTH-12', '?state=s', 'Missing authorization code or state parameter'],
  ])(
    '%s OAUTH-09 OAUTH-11 for the query “%s” shows: %s, and closes after 3 s',
    async (_, query, userMessage) => {
      await open(query)
      expect(screen.getByRole('alert').textContent).toContain(userMessage)
      expect(api.requests).toEqual([])
      await advance(2999)
      expect(close).not.toHaveBeenCalled()
      await advance(1)
      expect(close).toHaveBeenCalledOnce()
      await expectMessage(expect.objectContaining({ type: 'oauth-error', error: userMessage }))
    },
  )

  it('/oauth/callback?error=… shows no text of the address (L6, DEC-121)', async () => {
    await open('?error=Your+session+is+over&error_description=Go+to+evil.example&state=x')
    expect(document.body.textContent).not.toMatch(/session is over|evil\.example/)
  })

  it('UX-23 DEC-119 stays open after a pointer movement, and closes with its button', async () => {
    await open('?error=access_denied')
    fireEvent.pointerMove(window)
    await advance(10_000)
    expect(close).not.toHaveBeenCalled()
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(close).toHaveBeenCalledOnce()
  })

  it('DEC-096 stays open after an error if no page is waiting', async () => {
    setPopup(false)
    await open('?error=access_denied')
    await advance(60_000)
    expect(close).not.toHaveBeenCalled()
    expect(screen.getByRole('alert')).toBeTruthy()
  })

  it.each([
    ['a fault of the service', failWith('Something went wrong on our side.', 'internal_error')],
    [
      'no connection',
      () => {
        throw new NetworkError()
      },
    ],
  ])('OAUTH-17 OAUTH-18 DEC-091 retries once after 2 s: %s', async (_, fail) => {
    let calls = 0
    await openWithCode({
      'oauth.handle': () => {
        calls += 1
        return calls === 1 ? fail() : success
      },
    })
    await advance(1999)
    expect(calls).toBe(1)
    await advance(1)
    expect(calls).toBe(2)
    expect(getHeading()).toBe('Slack is connected')
  })

  it('goes to the sign-in again if the service can leave out what the provider refused', async () => {
    const replace = vi.fn<(address: string) => void>()
    const { href, origin, protocol, pathname, search, hash } = location
    vi.stubGlobal('location', { href, origin, protocol, pathname, search, hash, replace })
    const authUrl = 'https://auth.example/authorize?state=s'
    await open(`?error=invalid_target&state=${state}`, {
      'oauth.handle': () => ({ success: true, message: '', provider: '', authUrl }),
    })
    expect(replace).toHaveBeenCalledWith(authUrl)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('OAUTH-17 retries only once', async () => {
    await openWithCode({ 'oauth.handle': failWith('Something went wrong on our side.', 'internal_error') })
    await advance(60_000)
    expect(api.requestsTo('oauth.handle')).toHaveLength(2)
    expect(screen.getByRole('alert').textContent).toContain('Something went wrong on our side.')
    // the service may have connected it before the fault
    expect(screen.getByRole('alert').textContent).toContain('look at the integrations')
  })

  it('OAUTH-18 does not retry an exchange that was rejected', async () => {
    await openWithCode({ 'oauth.handle': failWith('The provider refused the code.') })
    await advance(60_000)
    expect(api.requestsTo('oauth.handle')).toHaveLength(1)
    expect(screen.getByRole('alert').textContent).toContain('The provider refused the code.')
  })

  it('DEC-089 OAUTH-23 checks the integration if the state was already used, possibly by this attempt', async () => {
    saveAttempt({ mcpId: 'slack', clientId: '', environment: 'production', timestamp: Date.now() })
    // the server's clock is behind this one
    rows = [anIntegration({ connected_at: '2026-01-01T00:00:00Z' })]
    await openWithCode({ 'oauth.handle': failWith(expiredMessage, 'oauth_state_not_found') })
    await advance(2000)
    expect(api.requestsTo('oauth.handle')).toHaveLength(1)
    expect(getHeading()).toBe('Slack is connected')
  })

  it('OAUTH-23 says that the state was not found if nothing was connected since', async () => {
    const connectedAt = '2026-01-01T00:00:00Z'
    saveAttempt({
      mcpId: 'slack',
      clientId: '',
      environment: 'production',
      timestamp: Date.now(),
      connectedAt,
    })
    // a renewed token changes the row too
    rows = [anIntegration({ connected_at: connectedAt, updated_at: new Date().toISOString() })]
    await openWithCode({ 'oauth.handle': failWith(expiredMessage, 'oauth_state_not_found') })
    await advance(2000)
    expect(screen.getByRole('alert').textContent).toContain(expiredMessage)
  })

  it.each([
    [
      'OAuth callback failed',
      () => Promise.reject(new DOMException('The request was cancelled.', 'AbortError')),
    ],
    [
      'Unexpected response from authentication service',
      () => new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } }),
    ],
    [
      'Unexpected response from authentication service',
      () => new Response('<h1>Welcome to our Wi-Fi</h1>', { headers: { 'content-type': 'text/html' } }),
    ],
  ])('OAUTH-25 OAUTH-26 DEC-016 shows the error: %s', async (userMessage, handle) => {
    await openWithCode({ 'oauth.handle': handle })
    expect(screen.getByRole('alert').textContent).toContain(userMessage)
  })

  describe('an address that is opened again', () => {
    const openAgain = async (current: Connection[]) => {
      setPopup(false)
      await openWithCode()
      rows = current
      cleanup()
      // of another page load
      const [query, handlers] = [
        `?code=c1&state=${state}&session_state=1&iss=`,
        { 'oauth.handle': failWith(expiredMessage, 'oauth_state_not_found') },
      ]
      await open(query, handlers)
      await advance(2000)
    }

    it('DEC-089 says that the connection stands', async () => {
      await openAgain([anIntegration({ connected_at: '2026-01-01T00:00:00Z' })])
      expect(getHeading()).toBe('Slack is connected')
    })

    it.each([
      [
        'it was disconnected since',
        () => [anIntegration({ status: 'disconnected', token_status: 'inactive' })],
      ],
      ['it is gone', () => []],
    ])('claims nothing about what was changed if %s', async (_, current) => {
      await openAgain(current())
      expect(screen.getByRole('alert').textContent).toContain(expiredMessage)
      expect(screen.getByRole('alert').textContent).toContain('look at the integrations')
      expect(screen.getByRole('alert').textContent).not.toContain('Nothing was changed')
    })
  })

  it('OAUTH-26 says when the user is not signed in', async () => {
    fakeApi({})
    removeSession()
    renderPage(<OAuthCallbackPage />, `/oauth/callback?code=c1&state=${state}`)
    await advance(0)
    expect(screen.getByRole('alert').textContent).toContain('Please sign in again, then connect once more.')
    // it stays open for its link, after which the sign-in comes back to the integrations
    await advance(60_000)
    expect(close).not.toHaveBeenCalled()
    const link = screen.getByRole('link', { name: 'Sign in' })
    expect(link.getAttribute('href')).toBe('/auth')
  })
})
