import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Integration } from '#shared/contracts/integrations.ts'
import { ApiError, NetworkError, NoSessionError } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { rememberAttempt } from './oauth-attempt.ts'
import { OAuthCallbackPage } from './oauth-callback-page.tsx'
import { answering, renderPage, type Answers } from './test-api.tsx'
import { anIntegration } from './test-entries.ts'

vi.mock('../../lib/call-api.ts', () => ({ callApi: vi.fn<typeof callApi>() }))

const postMessage = vi.fn<(message: unknown, origin: string) => void>()
const close = vi.fn<() => void>()
let api: ReturnType<typeof answering>
let states = 0
let state: string
let rows: Integration[]

const done = { success: true, message: 'Connected', provider: 'Slack', mcpId: 'slack' }
const gone = 'OAuth state not found. The authentication flow might have expired.'
const refusing =
  (sentence: string, code = 'refused') =>
  () => {
    throw new ApiError({ status: 400, code, sentence })
  }

/** Opens the page, and lets what has been asked be answered. */
async function open(query: string, answers: Answers = {}) {
  api = answering({
    'oauth.handle': () => done,
    'integrations.list': () => ({ integrations: rows }),
    ...answers,
  })
  vi.mocked(callApi).mockImplementation(api.call)
  renderPage(<OAuthCallbackPage />, `/oauth/callback${query}`)
  await pass(0)
}
const openWith = (answers?: Answers) => open(`?code=c1&state=${state}`, answers)
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const openedBy = (opener: unknown) => vi.stubGlobal('opener', opener)
const heading = () => screen.getByRole('heading').textContent

beforeEach(() => {
  vi.useFakeTimers()
  postMessage.mockReset()
  close.mockReset()
  vi.stubGlobal('close', close)
  openedBy({ postMessage })
  states += 1
  state = `s${states}`
  rows = []
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the way back from a provider', () => {
  it('NAV-04 OAUTH-06 OAUTH-07 OAUTH-08 OAUTH-10 OAUTH-14 DEC-089 DEC-094 DEC-096 redeems the code once, tells the opener, and closes after 2 s', async () => {
    let answer: (value: typeof done) => void = () => {}
    await openWith({ 'oauth.handle': () => new Promise((resolve) => (answer = resolve)) })
    expect(heading()).toBe('Connecting...')
    expect(postMessage).not.toHaveBeenCalled()
    answer(done)
    await pass(0)
    expect(heading()).toBe('Slack is connected')
    expect(api.callsOf('oauth.handle')).toEqual([
      {
        body: {
          action: 'exchange',
          code: 'c1',
          state,
          redirect_uri: `${location.origin}/oauth/callback`,
        },
      },
    ])
    expect(postMessage.mock.calls).toEqual([[{ type: 'oauth-success', state }, location.origin]])
    await pass(1999)
    expect(close).not.toHaveBeenCalled()
    await pass(1)
    expect(close).toHaveBeenCalledOnce()
  })

  it('OAUTH-08 DEC-096 goes to the main screen after 2 s where no page is waiting', async () => {
    openedBy(null)
    await openWith()
    await pass(1999)
    expect(screen.queryByText('main screen')).toBeNull()
    await pass(1)
    expect(screen.getByText('main screen')).toBeTruthy()
    expect(close).not.toHaveBeenCalled()
  })

  it('OAUTH-10 DEC-093 DEC-096 closes where the link to the waiting page was cut, and tells it over the channel', async () => {
    openedBy(null)
    sessionStorage.setItem('oauth-popup', '1')
    const told = vi.fn<(data: unknown) => void>()
    const channel = new BroadcastChannel('oauth')
    channel.addEventListener('message', ({ data }) => told(data))
    await openWith()
    await pass(2000)
    expect(close).toHaveBeenCalledOnce()
    vi.useRealTimers()
    await waitFor(() => expect(told).toHaveBeenCalledWith({ type: 'oauth-success', state }))
    channel.close()
  })

  it('passes on who issued the code', async () => {
    await open(`?code=c1&state=${state}&iss=https%3A%2F%2Fauth.example`)
    expect(api.callsOf('oauth.handle')[0]?.body).toMatchObject({ iss: 'https://auth.example' })
  })

  it.each([
    ['?error=access_denied&state=x', 'OAuth provider error: access_denied'],
    ['', 'Missing authorization code or state parameter'],
    ['?code=c', 'Missing authorization code or state parameter'],
    ['?state=s', 'Missing authorization code or state parameter'],
  ])('OAUTH-09 OAUTH-11 OAUTH-12 OAUTH-13 says of %s: %s, and closes after 3 s', async (query, sentence) => {
    await open(query)
    expect(screen.getByRole('alert').textContent).toContain(sentence)
    expect(postMessage.mock.calls[0]?.[0]).toMatchObject({ type: 'oauth-error', error: sentence })
    expect(api.asked).toEqual([])
    await pass(2999)
    expect(close).not.toHaveBeenCalled()
    await pass(1)
    expect(close).toHaveBeenCalledOnce()
  })

  it('UX-23 DEC-119 stays open while it is being read, and closes by its button', async () => {
    await open('?error=access_denied')
    fireEvent.pointerMove(window)
    await pass(10_000)
    expect(close).not.toHaveBeenCalled()
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(close).toHaveBeenCalledOnce()
  })

  it('DEC-096 stays open where no page is waiting', async () => {
    openedBy(null)
    await open('?error=access_denied')
    await pass(60_000)
    expect(close).not.toHaveBeenCalled()
    expect(screen.getByRole('alert')).toBeTruthy()
  })

  it.each([
    ['functionalHttpError: 500', refusing('functionalHttpError: 500')],
    ['Database error', refusing('Database error: busy')],
    [
      'no connection',
      () => {
        throw new NetworkError(false)
      },
    ],
  ])('OAUTH-17 OAUTH-18 DEC-091 tries once more after 2 s: %s', async (_, fail) => {
    let calls = 0
    await openWith({
      'oauth.handle': () => {
        calls += 1
        return calls === 1 ? fail() : done
      },
    })
    await pass(1999)
    expect(calls).toBe(1)
    await pass(1)
    expect(calls).toBe(2)
    expect(heading()).toBe('Slack is connected')
  })

  it('OAUTH-17 tries once more, not twice', async () => {
    await openWith({ 'oauth.handle': refusing('Database error') })
    await pass(60_000)
    expect(api.callsOf('oauth.handle')).toHaveLength(2)
    expect(screen.getByRole('alert').textContent).toContain('Database error')
  })

  it('OAUTH-18 does not try again what was refused', async () => {
    await openWith({ 'oauth.handle': refusing('The provider refused the code.') })
    await pass(60_000)
    expect(api.callsOf('oauth.handle')).toHaveLength(1)
    expect(screen.getByRole('alert').textContent).toContain('The provider refused the code.')
  })

  it('DEC-089 OAUTH-23 reads the integration instead when the state is used up, which this attempt may have done', async () => {
    rememberAttempt({ mcpId: 'slack', clientId: '', environment: 'production', timestamp: Date.now() })
    rows = [anIntegration({ updated_at: new Date().toISOString() })]
    await openWith({ 'oauth.handle': refusing(gone) })
    await pass(2000)
    expect(api.callsOf('oauth.handle')).toHaveLength(1)
    expect(heading()).toBe('Slack is connected')
  })

  it('OAUTH-23 DEC-087 DEC-089 says that the state is gone when nothing was connected since', async () => {
    rememberAttempt({ mcpId: 'slack', clientId: '', environment: 'production', timestamp: Date.now() })
    rows = [anIntegration({ updated_at: '2026-01-01T00:00:00Z' })]
    await openWith({ 'oauth.handle': refusing(gone) })
    await pass(2000)
    expect(screen.getByRole('alert').textContent).toContain(gone)
  })

  it.each([
    ['OAuth callback failed', () => Promise.reject(new Error('?'))],
    ['Unexpected response from authentication service', refusing('?', 'unreadable')],
    ['Unexpected response from authentication service', () => ({ hello: 1 })],
    ['Please sign in again, then connect once more.', () => Promise.reject(new NoSessionError('nobody'))],
  ])('OAUTH-25 OAUTH-26 DEC-016 says: %s', async (sentence, handle) => {
    await openWith({ 'oauth.handle': handle })
    expect(screen.getByRole('alert').textContent).toContain(sentence)
  })
})
