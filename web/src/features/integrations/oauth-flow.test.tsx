import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Integration } from '#shared/contracts/integrations.ts'
import { dismissToast, showToast } from '../../components/ui/toast.ts'
import { ApiError, NetworkError } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { IntegrationsPage } from './integrations-page.tsx'
import { latestAttempt } from './oauth-attempt.ts'
import { isOAuthMessage, popupPollMs } from './oauth-popup.ts'
import { answering, renderPage, type Answers } from './test-api.tsx'
import { anEntry, anIntegration } from './test-entries.ts'

vi.mock('../../components/ui/toast.ts', () => ({
  showToast: vi.fn<typeof showToast>(),
  dismissToast: vi.fn<typeof dismissToast>(),
}))
vi.mock('../../lib/call-api.ts', () => ({ callApi: vi.fn<typeof callApi>() }))

const authUrl = 'https://slack.com/oauth/v2/authorize?state=s1&client_id=12.34'
let rows: Integration[]
let api: ReturnType<typeof answering>
let popup: { closed: boolean; close: () => void; location: { replace: (url: string) => void } }
const windowOpen = vi.fn<typeof window.open>()
const replace = vi.fn<(url: string) => void>()

function open(over: Answers = {}) {
  api = answering({
    'registry.page': () => ({ items: [anEntry()], total: 1, hasMore: false, page: 1 }),
    'registry.status': () => ({ isHealthy: true, lastSync: null, totalServers: 1, running: false }),
    'integrations.list': () => ({ integrations: rows }),
    'oauth.handle': () => ({ success: true, message: '', provider: 'Slack', authUrl }),
    ...over,
  })
  vi.mocked(callApi).mockImplementation(api.call)
  return renderPage(<IntegrationsPage userId="u1" />)
}

async function start() {
  fireEvent.click(await screen.findByRole('button', { name: 'Setup ~5 mins Slack' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('Paste your Slack Client ID:'), { target: { value: '12.34' } })
  const connect = dialog.getByRole('button', { name: 'Connect to Slack Live' })
  await act(async () => void fireEvent.click(connect))
}

const toasts = () =>
  vi.mocked(showToast).mock.calls.map(([, title, options]) => [title, options?.description])
const started = ['OAuth Started', 'Please complete authentication in the popup window.']
const connected = ['Integration Connected', 'Successfully connected to the integration']
const connects = () => (rows = [anIntegration({ updated_at: new Date().toISOString() })])
const say = (data: unknown, { origin = location.origin, source = popup as unknown } = {}) =>
  act(() => {
    dispatchEvent(new MessageEvent('message', { data, origin, source: source as Window }))
  })

beforeEach(() => {
  vi.mocked(showToast).mockReset()
  vi.mocked(dismissToast).mockReset()
  windowOpen.mockReset().mockImplementation(() => popup as unknown as Window)
  replace.mockReset()
  popup = {
    closed: false,
    close: () => {
      popup.closed = true
    },
    location: { replace },
  }
  vi.stubGlobal('open', windowOpen)
  rows = []
})
afterEach(() => {
  popup.closed = true
  vi.useRealTimers()
})

describe('an OAuth flow', () => {
  it('OAUTH-01 OAUTH-02 OAUTH-03 OAUTH-05 SETUP-21 SETUP-22 SETUP-23 LIM-19 DEC-092 DEC-095 INT-79 opens the window in the click, and shows the provider in it', async () => {
    let answer = () => {}
    open({
      'oauth.handle': () =>
        new Promise((resolve) => {
          answer = () => resolve({ success: true, message: '', provider: 'Slack', authUrl })
        }),
    })
    vi.stubGlobal('outerWidth', 1600)
    vi.stubGlobal('outerHeight', 1000)
    await start()
    // before any answer
    expect(windowOpen.mock.calls).toEqual([['', 'oauth_popup', 'width=600,height=800,left=500,top=100']])
    expect(replace).not.toHaveBeenCalled()
    answer()
    await waitFor(() => expect(toasts()).toEqual([started]))
    expect(replace).toHaveBeenCalledWith(authUrl)
    expect(api.callsOf('oauth.handle')).toEqual([
      {
        body: {
          action: 'initiate',
          mcpId: 'slack',
          clientId: '12.34',
          environment: 'production',
          redirectUri: `${location.origin}/oauth/callback`,
        },
      },
    ])
    expect(latestAttempt()).toMatchObject({ mcpId: 'slack', clientId: '12.34', environment: 'production' })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getAllByText('Connecting...').length).toBeGreaterThan(0)
  })

  it('OAUTH-08 INT-67 DEC-094 DEC-095 is connected when the callback page says so and the row agrees', async () => {
    open()
    vi.mocked(showToast).mockReturnValue('toast')
    await start()
    await waitFor(() => expect(toasts()).toEqual([started]))
    expect(dismissToast).not.toHaveBeenCalledWith('toast')
    connects()
    say({ type: 'oauth-success', state: 's1' })
    await waitFor(() => expect(toasts()).toEqual([started, connected]))
    // what was asked for is done
    await waitFor(() => expect(dismissToast).toHaveBeenCalledWith('toast'))
    expect(await screen.findByText('Connected', { selector: 'p *' })).toBeTruthy()
    expect(latestAttempt()).toBeUndefined()
  })

  it('DEC-094 believes no other origin, window or state', async () => {
    open()
    await start()
    await waitFor(() => expect(toasts()).toEqual([started]))
    connects()
    const before = api.callsOf('integrations.list').length
    say({ type: 'oauth-success', state: 's1' }, { origin: 'https://evil.example' })
    say({ type: 'oauth-success', state: 's1' }, { source: window })
    say({ type: 'oauth-success', state: 'other' })
    say('oauth-success')
    expect(api.callsOf('integrations.list').length).toBe(before)
    expect(toasts()).toEqual([started])
  })

  it('OAUTH-09 INT-68 shows what the callback page said went wrong', async () => {
    open()
    await start()
    await waitFor(() => expect(toasts()).toEqual([started]))
    say({ type: 'oauth-error', state: 's1', error: 'OAuth provider error: access_denied' })
    await waitFor(() =>
      expect(toasts()).toEqual([started, ['Connection Failed', 'OAuth provider error: access_denied']]),
    )
  })

  it('OAUTH-04 LIM-19 DEC-093 looks every 500 ms whether the window is closed, which alone is no failure', async () => {
    open()
    await start()
    await waitFor(() => expect(toasts()).toEqual([started]))
    const before = api.callsOf('integrations.list').length
    expect(popupPollMs).toBe(500)
    popup.closed = true
    await waitFor(() => expect(api.callsOf('integrations.list').length).toBeGreaterThan(before), {
      timeout: 2000,
    })
    await screen.findByRole('button', { name: 'Setup ~5 mins Slack' })
    expect(toasts()).toEqual([started])
  })

  it('DEC-093 hears over the channel what comes after a window that was cut off', async () => {
    // flows of other tests may still be listening for theirs
    open({
      'oauth.handle': () => ({
        success: true,
        message: '',
        provider: 'Slack',
        authUrl: authUrl.replace('s1', 'late'),
      }),
    })
    await start()
    await waitFor(() => expect(toasts()).toEqual([started]))
    popup.closed = true
    await screen.findByRole('button', { name: 'Setup ~5 mins Slack' }, { timeout: 2000 })
    connects()
    const channel = new BroadcastChannel('oauth')
    channel.postMessage({ type: 'oauth-success', state: 'late' })
    await waitFor(() => expect(toasts()).toEqual([started, connected]))
    channel.close()
  })

  it('INT-70 DEC-081 says when the end of it could not be read', async () => {
    let fail = false
    open({
      'integrations.list': () => {
        if (fail) throw new NetworkError(false)
        return { integrations: rows }
      },
    })
    await start()
    await waitFor(() => expect(toasts()).toEqual([started]))
    fail = true
    say({ type: 'oauth-success', state: 's1' })
    await waitFor(
      () =>
        expect(toasts().at(-1)).toEqual([
          'Connection Error',
          'Failed to complete connection. Please try again.',
        ]),
      { timeout: 5000 },
    )
  })

  it('OAUTH-22 says when the window was blocked', async () => {
    windowOpen.mockReturnValue(null)
    open()
    await start()
    const sentence = 'Failed to open OAuth popup. Please allow popups for this site.'
    expect(await within(screen.getByRole('dialog')).findByText(sentence)).toBeTruthy()
    expect(toasts()).toEqual([['Connection Failed', sentence]])
    expect(api.callsOf('oauth.handle')).toEqual([])
  })

  it.each([
    [
      'nothing',
      () => ({ success: true, message: '', provider: '' }),
      ['Connection Failed', 'No authorization URL received'],
    ],
    [
      'an address that is no https',
      () => ({ success: true, message: '', provider: '', authUrl: 'javascript:alert(1)' }),
      ['Connection Failed', 'The provider’s address is not safe to open.'],
    ],
    [
      'a refusal',
      () => {
        throw new ApiError({ status: 400, code: 'x', sentence: 'No such app.' })
      },
      ['Connection Failed', 'No such app.'],
    ],
    [
      'a refusal without a sentence',
      () => {
        throw new ApiError({ status: 500, code: 'unreadable', sentence: '?' })
      },
      ['Connection Failed', 'Failed to connect'],
    ],
    [
      'no answer',
      () => {
        throw new NetworkError(true)
      },
      ['Connection Error', 'Failed to initiate connection. Please try again.'],
    ],
  ] as const)(
    'OAUTH-24 SETUP-24 INT-69 DEC-081 DEC-088 DEC-110 closes the window after %s',
    async (_, handle, toast) => {
      open({ 'oauth.handle': handle })
      await start()
      await waitFor(() => expect(toasts()).toEqual([toast]))
      expect(popup.closed).toBe(true)
      expect(replace).not.toHaveBeenCalled()
      expect(await within(screen.getByRole('dialog')).findByText(toast[1])).toBeTruthy()
    },
  )
})

it.each([
  [{ type: 'oauth-success', state: 's' }, true],
  [{ type: 'oauth-error', state: 's', error: 'e' }, true],
  [{ type: 'oauth-error', state: 's' }, false],
  [{ type: 'oauth-success' }, false],
  [{ type: 'other', state: 's' }, false],
  [null, false],
  ['oauth-success', false],
])('DEC-094 a message %o is one of ours: %s', (message, expected) => {
  expect(isOAuthMessage(message)).toBe(expected)
})
