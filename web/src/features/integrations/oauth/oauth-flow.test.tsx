import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Integration } from '#shared/contracts/integrations.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { dismissToast, showToast } from '../../../components/ui/toast.ts'
import { ApiError, NetworkError } from '../../../lib/api-errors.ts'
import { IntegrationsPage } from '../catalogue/integrations-page.tsx'
import { loadLatestAttempt } from './oauth-attempt.ts'
import { isOAuthMessage, popupPollMs } from './oauth-popup.ts'
import { type Answers, fakeApi } from '../../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../../test/support/render-page.tsx'
import { anEntry, anIntegration } from '../../../../../test/support/connections.ts'

vi.mock('../../../components/ui/toast.ts', () => ({
  showToast: vi.fn<typeof showToast>(),
  dismissToast: vi.fn<typeof dismissToast>(),
}))

// flows of other tests may still be listening for theirs
let flows = 0
let state: string
let authUrl: string
let rows: Integration[]
let api: ReturnType<typeof fakeApi>
let popup: { closed: boolean; close: () => void; location: { replace: (url: string) => void } }
const windowOpen = vi.fn<typeof window.open>()
const replace = vi.fn<(url: string) => void>()

function open(over: Answers = {}) {
  api = fakeApi({
    'registry.page': () => ({ items: [anEntry()], total: 1, hasMore: false, page: 1 }),
    'registry.status': () => ({
      isHealthy: true,
      lastSync: null,
      totalServers: 1,
      running: false,
      excluded: {},
    }),
    'integrations.list': () => ({ integrations: rows }),
    'tools.list': () => ({ integrations: [] }),
    'oauth.handle': () => ({ success: true, message: '', provider: 'Slack', authUrl }),
    ...over,
  })
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
/** As the callback page does it. */
const say = (data: unknown) => {
  const channel = new BroadcastChannel('oauth')
  channel.postMessage(data)
  channel.close()
}

beforeEach(() => {
  flows += 1
  state = `s${flows}`
  authUrl = `https://slack.com/oauth/v2/authorize?state=${state}&client_id=12.34`
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
  /** The flow until the server is asked; `answer` gives the provider's address. */
  async function startBlocked() {
    const blocked = Promise.withResolvers<RouteResponse<'oauth.handle'>>()
    open({ 'oauth.handle': () => blocked.promise })
    vi.stubGlobal('outerWidth', 1600)
    vi.stubGlobal('outerHeight', 1000)
    await start()
    return { answer: () => blocked.resolve({ success: true, message: '', provider: 'Slack', authUrl }) }
  }

  it('OAUTH-03 LIM-19 DEC-092 opens the window in the click, and shows the provider in it', async () => {
    const { answer } = await startBlocked()
    // before any answer
    expect(windowOpen.mock.calls).toEqual([['', 'oauth_popup', 'width=600,height=800,left=500,top=100']])
    expect(replace).not.toHaveBeenCalled()
    answer()
    await waitFor(() => expect(replace).toHaveBeenCalledWith(authUrl))
  })

  it('SETUP-22 DEC-095 says OAuth Started once the window has its address', async () => {
    const { answer } = await startBlocked()
    expect(toasts()).toEqual([])
    answer()
    await waitFor(() => expect(toasts()).toEqual([started]))
    expect(replace).toHaveBeenCalledWith(authUrl)
  })

  it('OAUTH-02 SETUP-21 asks the server for the address with the Client ID', async () => {
    const { answer } = await startBlocked()
    expect(screen.getByRole('button', { name: 'Connecting to Live...' })).toBeTruthy()
    answer()
    await waitFor(() => expect(toasts()).toEqual([started]))
    expect(api.requestsTo('oauth.handle')).toEqual([
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
  })

  it('OAUTH-05 SETUP-23 keeps the attempt, closes the dialog and goes on waiting', async () => {
    const { answer } = await startBlocked()
    answer()
    await waitFor(() => expect(toasts()).toEqual([started]))
    expect(loadLatestAttempt()).toMatchObject({
      mcpId: 'slack',
      clientId: '12.34',
      environment: 'production',
    })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getAllByText('Connecting…').length).toBeGreaterThan(0)
  })

  it('INT-46 INT-67 is not connected when the row says that it cannot be used', async () => {
    open()
    await start()
    await waitFor(() => expect(toasts()).toEqual([started]))
    rows = [anIntegration({ token_status: 'invalid', updated_at: new Date().toISOString() })]
    say({ type: 'oauth-success', state })
    await waitFor(() => expect(toasts()).toEqual([started, ['Connection Failed', 'Failed to connect']]))
  })

  it('OAUTH-01 INT-67 INT-79 is connected when the callback page says so and the row agrees', async () => {
    open()
    vi.mocked(showToast).mockReturnValue('toast')
    await start()
    await waitFor(() => expect(toasts()).toEqual([started]))
    expect(dismissToast).not.toHaveBeenCalledWith('toast')
    connects()
    say({ type: 'oauth-success', state })
    await waitFor(() => expect(toasts()).toEqual([started, connected]))
    // what was asked for is done
    await waitFor(() => expect(dismissToast).toHaveBeenCalledWith('toast'))
    expect(await screen.findByText('Connected', { selector: 'p *' })).toBeTruthy()
    expect(loadLatestAttempt()).toBeUndefined()
  })

  it('DEC-094 believes no message of a window, and none about another state', async () => {
    open()
    await start()
    await waitFor(() => expect(toasts()).toEqual([started]))
    connects()
    const before = api.requestsTo('integrations.list').length
    const ofWindow = { data: { type: 'oauth-success', state }, origin: location.origin }
    act(
      () =>
        void dispatchEvent(new MessageEvent('message', { ...ofWindow, source: popup as unknown as Window })),
    )
    const others = new BroadcastChannel('oauth')
    const last = new Promise((resolve) =>
      others.addEventListener('message', ({ data }) => data === 'last' && resolve(data)),
    )
    say({ type: 'oauth-success', state: 'other' })
    say('oauth-success')
    say('last')
    await last
    others.close()
    expect(api.requestsTo('integrations.list').length).toBe(before)
    expect(toasts()).toEqual([started])
  })

  it('OAUTH-09 INT-68 shows what the callback page said went wrong', async () => {
    open()
    await start()
    await waitFor(() => expect(toasts()).toEqual([started]))
    say({ type: 'oauth-error', state, error: 'OAuth provider error: access_denied' })
    await waitFor(() =>
      expect(toasts()).toEqual([started, ['Connection Failed', 'OAuth provider error: access_denied']]),
    )
  })

  it('OAUTH-09 DEC-119 opens the dialog again with that sentence and the Client ID', async () => {
    open()
    await start()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    say({ type: 'oauth-error', state, error: 'OAuth provider error: access_denied' })
    const dialog = within(await screen.findByRole('dialog', { name: 'Setup Slack' }))
    expect(dialog.getByRole('alert').textContent).toBe('OAuth provider error: access_denied')
    expect(dialog.getByLabelText<HTMLInputElement>('Paste your Slack Client ID:').value).toBe('12.34')
    popup.closed = false
    await act(async () => void fireEvent.click(dialog.getByRole('button', { name: 'Connect to Slack Live' })))
    expect(
      api.requestsTo('oauth.handle').map(({ body }) => body && 'clientId' in body && body.clientId),
    ).toEqual(['12.34', '12.34'])
  })

  it('OAUTH-09 DEC-119 opens the dialog again for a reason that comes after a window that was cut off', async () => {
    open()
    await start()
    await waitFor(() => expect(toasts()).toEqual([started]))
    popup.closed = true
    await screen.findByRole('button', { name: 'Setup ~5 mins Slack' })
    say({ type: 'oauth-error', state, error: 'OAuth provider error: access_denied' })
    const dialog = within(await screen.findByRole('dialog', { name: 'Setup Slack' }))
    expect(dialog.getByRole('alert').textContent).toBe('OAuth provider error: access_denied')
  })

  it('DEC-119 leaves another dialog alone that was opened meanwhile', async () => {
    const other = anEntry({ id: 'figma', name: 'Figma', provider: 'Figma' })
    open({
      'registry.page': () => ({ items: [anEntry(), other], total: 2, hasMore: false, page: 1 }),
    })
    await start()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    fireEvent.click(await screen.findByRole('button', { name: 'Setup ~5 mins Figma' }))
    await screen.findByRole('dialog', { name: 'Setup Figma' })
    say({ type: 'oauth-error', state, error: 'OAuth provider error: access_denied' })
    await waitFor(() => expect(toasts().at(-1)?.[0]).toBe('Connection Failed'))
    expect(screen.getByRole('dialog', { name: 'Setup Figma' })).toBeTruthy()
    expect(screen.queryByRole('dialog', { name: 'Setup Slack' })).toBeNull()
  })

  it('DEC-088 opens an address under the protocol of the page, or https', async () => {
    authUrl = `http://127.0.0.1:4100/authorize?state=${state}`
    open()
    await start()
    await waitFor(() => expect(replace).toHaveBeenCalledWith(authUrl))
  })

  it('DEC-088 opens no plain http from a page under https', async () => {
    authUrl = `http://127.0.0.1:4100/authorize?state=${state}`
    open()
    vi.stubGlobal('location', new URL('https://127.0.0.1/integrations'))
    await start()
    await waitFor(() =>
      expect(toasts()).toEqual([['Connection Failed', 'The provider’s address is not safe to open.']]),
    )
    expect(replace).not.toHaveBeenCalled()
  })

  it('OAUTH-04 LIM-19 DEC-093 looks every 500 ms whether the window is closed, which alone is no failure', async () => {
    open()
    await start()
    await waitFor(() => expect(toasts()).toEqual([started]))
    const before = api.requestsTo('integrations.list').length
    expect(popupPollMs).toBe(500)
    popup.closed = true
    await waitFor(() => expect(api.requestsTo('integrations.list').length).toBeGreaterThan(before))
    await screen.findByRole('button', { name: 'Setup ~5 mins Slack' })
    expect(toasts()).toEqual([started])
  })

  it('DEC-093 hears over the channel what comes after a window that was cut off', async () => {
    open()
    await start()
    await waitFor(() => expect(toasts()).toEqual([started]))
    popup.closed = true
    await screen.findByRole('button', { name: 'Setup ~5 mins Slack' })
    connects()
    say({ type: 'oauth-success', state })
    await waitFor(() => expect(toasts()).toEqual([started, connected]))
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
    say({ type: 'oauth-success', state })
    await waitFor(() =>
      expect(toasts().at(-1)).toEqual([
        'Connection Error',
        'Failed to complete connection. Please try again.',
      ]),
    )
  })

  it('INT-70 OAUTH-09 says one thing of one failure, also when the window seemed closed before', async () => {
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
    const failures = () => vi.mocked(showToast).mock.calls.filter(([kind]) => kind === 'error')
    popup.closed = true
    await waitFor(() => expect(failures()).toHaveLength(1))
    say({ type: 'oauth-error', state, error: 'OAuth provider error: access_denied' })
    await waitFor(() => expect(failures()).toHaveLength(2))
    // a toast with the same id is replaced
    expect(failures().map(([, , options]) => options?.id)).toEqual([`oauth ${state}`, `oauth ${state}`])
  })

  it('OAUTH-22 says when the popup was blocked', async () => {
    windowOpen.mockReturnValue(null)
    open()
    await start()
    const sentence = 'Failed to open OAuth popup. Please allow popups for this site.'
    expect(await within(screen.getByRole('dialog')).findByText(sentence)).toBeTruthy()
    expect(toasts()).toEqual([['Connection Failed', sentence]])
    expect(api.requestsTo('oauth.handle')).toEqual([])
  })

  it.each([
    [
      'OAUTH-24',
      'nothing',
      () => ({ success: true as const, message: '', provider: '' }),
      ['Connection Failed', 'No authorization URL received'],
    ],
    [
      'DEC-088',
      'an address that is no https',
      () => ({ success: true as const, message: '', provider: '', authUrl: 'javascript:alert(1)' }),
      ['Connection Failed', 'The provider’s address is not safe to open.'],
    ],
    [
      'SETUP-24',
      'a refusal',
      () => {
        throw new ApiError({ status: 400, code: 'x', userMessage: 'No such app.' })
      },
      ['Connection Failed', 'No such app.'],
    ],
    [
      'DEC-110',
      'a refusal without a sentence',
      () => {
        throw new ApiError({ status: 500, code: 'unreadable', userMessage: '?' })
      },
      ['Connection Failed', 'Failed to connect'],
    ],
    [
      'INT-69 DEC-081',
      'no answer',
      () => {
        throw new NetworkError(true)
      },
      ['Connection Error', 'Failed to initiate connection. Please try again.'],
    ],
  ] as const)('%s closes the window after %s', async (_, __, handle, toast) => {
    open({ 'oauth.handle': handle })
    await start()
    await waitFor(() => expect(toasts()).toEqual([toast]))
    expect(popup.closed).toBe(true)
    expect(replace).not.toHaveBeenCalled()
    expect(await within(screen.getByRole('dialog')).findByText(toast[1])).toBeTruthy()
  })
})

describe('DEC-186 a server that registers no client', () => {
  const [clientRedirectUri, nextRedirectUri] = ['1', '2'].map(
    (hash) => `${location.origin}/oauth/server-callback/${hash}`,
  )
  const manual = (redirect = clientRedirectUri) => ({
    success: true as const,
    message: 'Notes does not register apps by itself.',
    provider: 'Notes',
    manualRegistration: { clientRedirectUri: redirect ?? '', registerAt: 'sign-in.example' },
  })
  const notes = anEntry({
    id: 'notes',
    name: 'Notes',
    provider: 'Slack',
    auth_type: 'unknown',
    one_click: true,
    setup: undefined,
  })
  async function openNotes(over: Answers = {}) {
    let answers = 0
    open({
      'registry.page': () => ({ items: [notes], total: 1, hasMore: false, page: 1 }),
      // in between the server has moved to another authorization server
      'oauth.handle': ({ body }) => {
        answers += 1
        if (answers <= 2) return manual(answers === 1 ? clientRedirectUri : nextRedirectUri)
        expect(body).toMatchObject({ clientId: 'my-client', redirectUri: nextRedirectUri })
        return { success: true, message: '', provider: 'Notes', authUrl }
      },
      ...over,
    })
    fireEvent.click(await screen.findByRole('button', { name: /Notes$/ }))
    return within(await screen.findByRole('dialog'))
  }

  it('shows the redirect URI of this server, then takes a Client ID; of a new one if the server has moved', async () => {
    const dialog = await openNotes()
    expect(dialog.getByText('Notes does not register apps by itself.')).toBeTruthy()
    expect(dialog.getByText(String(clientRedirectUri))).toBeTruthy()
    expect(popup.closed).toBe(true)
    popup.closed = false
    fireEvent.change(dialog.getByLabelText('Paste your Slack Client ID:'), { target: { value: 'my-client' } })
    const connect = dialog.getByRole('button', { name: 'Connect to Notes Live' })
    fireEvent.click(connect)
    expect(await dialog.findByText(String(nextRedirectUri))).toBeTruthy()
    expect(api.requestsTo('oauth.handle')[1]?.body).toMatchObject({ redirectUri: clientRedirectUri })
    expect(replace).not.toHaveBeenCalled()
    fireEvent.click(connect)
    await waitFor(() => expect(replace).toHaveBeenCalledWith(authUrl))
  })

  it('takes an API key in its place', async () => {
    const dialog = await openNotes()
    fireEvent.click(dialog.getByRole('button', { name: 'Use an API key instead' }))
    expect(dialog.queryByLabelText('Paste your Slack Client ID:')).toBeNull()
    expect(dialog.getByLabelText(/^API key/i)).toBeTruthy()
    fireEvent.click(dialog.getByRole('button', { name: 'Use a Client ID instead' }))
    expect(dialog.getByLabelText('Paste your Slack Client ID:')).toBeTruthy()
  })
})

describe('a server that has people sign in at another server (H2)', () => {
  const message =
    'Slack (evil.example) signs you in at legit.com. What you allow there, evil.example may use.'
  const foreign = {
    success: true as const,
    message,
    provider: 'Slack',
    foreignSignIn: { server: 'evil.example', signsInAt: ['legit.com'] },
  }
  let frame: HTMLIFrameElement
  const inPopup = () => within(frame.contentDocument?.body as HTMLElement)
  const asked = () =>
    api.requestsTo('oauth.handle').map(({ body }) => (body && 'agreedTo' in body ? body.agreedTo : undefined))

  beforeEach(async () => {
    frame = document.createElement('iframe')
    document.body.append(frame)
    const { contentDocument: shown, contentWindow: inner } = frame
    Object.assign(popup, { document: shown, focus: () => inner?.focus() })
    open({
      'oauth.handle': ({ body }) =>
        'agreedTo' in body && body.agreedTo
          ? { success: true, message: '', provider: 'Slack', authUrl }
          : foreign,
    })
    await start()
    await inPopup().findByRole('alertdialog')
  })
  afterEach(() => frame.remove())

  it('says so in the window before it goes on, with Cancel in reach', () => {
    expect(inPopup().getByRole('alertdialog', { name: 'Let evil.example use legit.com?' })).toBeTruthy()
    expect(inPopup().getByText(message)).toBeTruthy()
    expect(frame.contentDocument?.activeElement?.textContent).toBe('Cancel')
    expect(replace).not.toHaveBeenCalled()
  })

  it('continues after Continue, with the hosts that were shown', async () => {
    fireEvent.click(inPopup().getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(replace).toHaveBeenCalledWith(authUrl))
    expect(asked()).toEqual([undefined, ['legit.com']])
  })

  it.each([
    ['Cancel', () => fireEvent.click(inPopup().getByRole('button', { name: 'Cancel' }))],
    ['Escape', () => fireEvent.keyDown(inPopup().getByRole('button', { name: 'Cancel' }), { key: 'Escape' })],
    ['closing the window', () => (popup.closed = true)],
  ])('begins nothing after %s, and calls it no failure', async (_, answer) => {
    answer()
    await waitFor(() => expect(popup.closed).toBe(true))
    await screen.findByRole('button', { name: 'Setup ~5 mins Slack' })
    expect(asked()).toEqual([undefined])
    expect(replace).not.toHaveBeenCalled()
    expect(toasts()).toEqual([])
  })
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
