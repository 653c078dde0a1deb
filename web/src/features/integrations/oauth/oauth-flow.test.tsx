import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Connection } from '#shared/contracts/integrations.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { dismissToast, showToast } from '../../../components/ui/toast.ts'
import { ApiError, NetworkError } from '../../../lib/api/api-errors.ts'
import { createActions } from '../../../lib/actions/actions.ts'
import { closeUserResources, getUserResource } from '../../../lib/actions/user-resources.ts'
import { IntegrationsPage } from '../catalogue/integrations-page.tsx'
import { useStartOAuth } from '../connect/use-start-oauth.ts'
import { loadLatestAttempt } from './oauth-attempt.ts'
import { noOAuthValues } from './oauth-flow.ts'
import { isOAuthMessage, popupPollMs } from './oauth-popup.ts'
import { formatQuestion } from './third-party-sign-in.tsx'
import { type RouteHandlers, fakeApi } from '../../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../../test/support/render-page.tsx'
import { anEntry, anIntegration } from '../../../../../test/support/connections.ts'

vi.mock('../../../components/ui/toast.ts', () => ({
  showToast: vi.fn<typeof showToast>(),
  dismissToast: vi.fn<typeof dismissToast>(),
}))

// a state of its own for each test: flows of earlier tests may still be listening
let flowCount = 0
let state: string
let authUrl: string
let rows: Connection[]
let api: ReturnType<typeof fakeApi>
let popup: { closed: boolean; close: () => void; location: { replace: (url: string) => void } }
const windowOpen = vi.fn<typeof window.open>()
const replace = vi.fn<(url: string) => void>()

function open(handlers: RouteHandlers = {}) {
  api = fakeApi({
    'registry.page': () => ({ items: [anEntry()], total: 1, hasMore: false, page: 1 }),
    'registry.status': () => ({
      isHealthy: true,
      lastSync: null,
      totalServers: 1,
      running: false,
      excluded: {},
    }),
    'registry.one': () => ({ entry: anEntry() }),
    'integrations.list': () => ({ integrations: rows }),
    'tools.list': () => ({ integrations: [] }),
    'oauth.handle': () => ({ success: true, message: '', provider: 'Slack', authUrl }),
    ...handlers,
  })
  return renderPage(<IntegrationsPage userId="u1" />)
}

async function submitSetup() {
  fireEvent.click(await screen.findByRole('button', { name: 'Setup ~5 mins Slack' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('Paste your Slack Client ID:'), { target: { value: '12.34' } })
  const connect = dialog.getByRole('button', { name: 'Connect to Slack Live' })
  await act(async () => void fireEvent.click(connect))
}

const listToasts = () =>
  vi.mocked(showToast).mock.calls.map(([, title, options]) => [title, options?.description])
const startedToast = ['OAuth Started', 'Please complete authentication in the popup window.']
const connectedToast = ['Integration Connected', 'Successfully connected to the integration']
const addConnection = () => (rows = [anIntegration({ updated_at: new Date().toISOString() })])
/** Sends a message as the callback page does. */
const broadcast = (data: unknown) => {
  const channel = new BroadcastChannel('oauth')
  channel.postMessage(data)
  channel.close()
}

beforeEach(() => {
  flowCount += 1
  state = `s${flowCount}`
  authUrl = `https://slack.com/oauth/v2/authorize?state=${state}&client_id=12.34`
  vi.mocked(showToast).mockReset()
  vi.mocked(dismissToast).mockReset()
  windowOpen.mockReset().mockImplementation(() => popup as unknown as Window)
  replace.mockReset()
  // closes itself only: a flow of an earlier test may close its popup late
  const newPopup = { closed: false, close: () => void (newPopup.closed = true), location: { replace } }
  popup = newPopup
  vi.stubGlobal('open', windowOpen)
  rows = []
})
afterEach(() => {
  popup.closed = true
  vi.useRealTimers()
})

describe('an OAuth flow', () => {
  /** Starts the flow; `respond` resolves the request for the provider's URL. */
  async function startWithPendingRequest() {
    const response = Promise.withResolvers<RouteResponse<'oauth.handle'>>()
    open({ 'oauth.handle': () => response.promise })
    vi.stubGlobal('outerWidth', 1600)
    vi.stubGlobal('outerHeight', 1000)
    await submitSetup()
    return { respond: () => response.resolve({ success: true, message: '', provider: 'Slack', authUrl }) }
  }

  it('OAUTH-03 LIM-19 DEC-092 opens the window during the click, and shows the provider in it', async () => {
    const { respond } = await startWithPendingRequest()
    // before the response
    expect(windowOpen.mock.calls).toEqual([['', 'oauth_popup', 'width=600,height=800,left=500,top=100']])
    expect(replace).not.toHaveBeenCalled()
    respond()
    await waitFor(() => expect(replace).toHaveBeenCalledWith(authUrl))
  })

  it('SETUP-22 DEC-095 shows OAuth Started once the window has its URL', async () => {
    const { respond } = await startWithPendingRequest()
    expect(listToasts()).toEqual([])
    respond()
    await waitFor(() => expect(listToasts()).toEqual([startedToast]))
    expect(replace).toHaveBeenCalledWith(authUrl)
  })

  it('OAUTH-02 SETUP-21 requests the URL with the Client ID', async () => {
    const { respond } = await startWithPendingRequest()
    expect(screen.getByRole('button', { name: 'Connecting to Live...' })).toBeTruthy()
    respond()
    await waitFor(() => expect(listToasts()).toEqual([startedToast]))
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

  it('OAUTH-05 SETUP-23 stores the attempt, closes the dialog and keeps waiting', async () => {
    const { respond } = await startWithPendingRequest()
    respond()
    await waitFor(() => expect(listToasts()).toEqual([startedToast]))
    expect(loadLatestAttempt()).toMatchObject({
      mcpId: 'slack',
      clientId: '12.34',
      environment: 'production',
    })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getAllByText('Connecting…').length).toBeGreaterThan(0)
  })

  it('INT-46 INT-67 shows an error if the connection is invalid after the sign-in', async () => {
    open()
    await submitSetup()
    await waitFor(() => expect(listToasts()).toEqual([startedToast]))
    rows = [anIntegration({ token_status: 'invalid', updated_at: new Date().toISOString() })]
    broadcast({ type: 'oauth-success', state })
    await waitFor(() =>
      expect(listToasts()).toEqual([startedToast, ['Connection Failed', 'Failed to connect']]),
    )
  })

  it('OAUTH-01 INT-67 INT-79 is connected when the callback page reports success and the connection is active', async () => {
    open()
    vi.mocked(showToast).mockReturnValue('toast')
    await submitSetup()
    await waitFor(() => expect(listToasts()).toEqual([startedToast]))
    expect(dismissToast).not.toHaveBeenCalledWith('toast')
    addConnection()
    broadcast({ type: 'oauth-success', state })
    await waitFor(() => expect(listToasts()).toEqual([startedToast, connectedToast]))
    // the toast that asked to complete the sign-in
    await waitFor(() => expect(dismissToast).toHaveBeenCalledWith('toast'))
    expect(await screen.findByText('Connected', { selector: 'p *' })).toBeTruthy()
    expect(loadLatestAttempt()).toBeUndefined()
  })

  it('DEC-094 ignores messages from a window, and messages with another state', async () => {
    open()
    await submitSetup()
    await waitFor(() => expect(listToasts()).toEqual([startedToast]))
    addConnection()
    const before = api.requestsTo('integrations.list').length
    const windowMessage = { data: { type: 'oauth-success', state }, origin: location.origin }
    act(
      () =>
        void dispatchEvent(
          new MessageEvent('message', { ...windowMessage, source: popup as unknown as Window }),
        ),
    )
    const otherChannel = new BroadcastChannel('oauth')
    const lastMessage = new Promise((resolve) =>
      otherChannel.addEventListener('message', ({ data }) => data === 'last' && resolve(data)),
    )
    broadcast({ type: 'oauth-success', state: 'other' })
    broadcast('oauth-success')
    broadcast('last')
    await lastMessage
    otherChannel.close()
    expect(api.requestsTo('integrations.list').length).toBe(before)
    expect(listToasts()).toEqual([startedToast])
  })

  it('OAUTH-09 INT-68 shows the error that the callback page reported', async () => {
    open()
    await submitSetup()
    await waitFor(() => expect(listToasts()).toEqual([startedToast]))
    broadcast({ type: 'oauth-error', state, error: 'OAuth provider error: access_denied' })
    await waitFor(() =>
      expect(listToasts()).toEqual([
        startedToast,
        ['Connection Failed', 'OAuth provider error: access_denied'],
      ]),
    )
  })

  it('OAUTH-09 DEC-119 opens the dialog again with the error and the Client ID', async () => {
    open()
    await submitSetup()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    broadcast({ type: 'oauth-error', state, error: 'OAuth provider error: access_denied' })
    const dialog = within(await screen.findByRole('dialog', { name: 'Setup Slack' }))
    expect(dialog.getByRole('alert').textContent).toBe('OAuth provider error: access_denied')
    expect(dialog.getByLabelText<HTMLInputElement>('Paste your Slack Client ID:').value).toBe('12.34')
    popup.closed = false
    await act(async () => void fireEvent.click(dialog.getByRole('button', { name: 'Connect to Slack Live' })))
    expect(
      api.requestsTo('oauth.handle').map(({ body }) => body && 'clientId' in body && body.clientId),
    ).toEqual(['12.34', '12.34'])
  })

  it('OAUTH-09 DEC-119 opens the dialog again for an error that arrives after the window seemed closed', async () => {
    open()
    await submitSetup()
    await waitFor(() => expect(listToasts()).toEqual([startedToast]))
    popup.closed = true
    await screen.findByRole('button', { name: 'Setup ~5 mins Slack' })
    broadcast({ type: 'oauth-error', state, error: 'OAuth provider error: access_denied' })
    const dialog = within(await screen.findByRole('dialog', { name: 'Setup Slack' }))
    expect(dialog.getByRole('alert').textContent).toBe('OAuth provider error: access_denied')
  })

  it('DEC-119 does not replace another dialog that was opened meanwhile', async () => {
    const otherEntry = anEntry({ id: 'figma', name: 'Figma', provider: 'Figma' })
    open({
      'registry.page': () => ({ items: [anEntry(), otherEntry], total: 2, hasMore: false, page: 1 }),
    })
    await submitSetup()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    fireEvent.click(await screen.findByRole('button', { name: 'Setup ~5 mins Figma' }))
    await screen.findByRole('dialog', { name: 'Setup Figma' })
    broadcast({ type: 'oauth-error', state, error: 'OAuth provider error: access_denied' })
    await waitFor(() => expect(listToasts().at(-1)?.[0]).toBe('Connection Failed'))
    expect(screen.getByRole('dialog', { name: 'Setup Figma' })).toBeTruthy()
    expect(screen.queryByRole('dialog', { name: 'Setup Slack' })).toBeNull()
  })

  it('DEC-088 opens a URL with the protocol of the page', async () => {
    authUrl = `http://127.0.0.1:4100/authorize?state=${state}`
    open()
    await submitSetup()
    await waitFor(() => expect(replace).toHaveBeenCalledWith(authUrl))
  })

  it('DEC-088 does not open an http URL from an https page', async () => {
    authUrl = `http://127.0.0.1:4100/authorize?state=${state}`
    open()
    vi.stubGlobal('location', new URL('https://127.0.0.1/integrations'))
    await submitSetup()
    await waitFor(() =>
      expect(listToasts()).toEqual([['Connection Failed', 'The provider’s address is not safe to open.']]),
    )
    expect(replace).not.toHaveBeenCalled()
  })

  it('OAUTH-04 LIM-19 DEC-093 polls every 500 ms whether the window is closed, which alone is not an error', async () => {
    open()
    await submitSetup()
    await waitFor(() => expect(listToasts()).toEqual([startedToast]))
    const before = api.requestsTo('integrations.list').length
    expect(popupPollMs).toBe(500)
    popup.closed = true
    await waitFor(() => expect(api.requestsTo('integrations.list').length).toBeGreaterThan(before))
    await screen.findByRole('button', { name: 'Setup ~5 mins Slack' })
    expect(listToasts()).toEqual([startedToast])
  })

  it('waits on while a window that seems closed is in front, as one that was severed is', async () => {
    const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(false)
    open()
    await submitSetup()
    await waitFor(() => expect(listToasts()).toEqual([startedToast]))
    const before = api.requestsTo('integrations.list').length
    const readClosed = vi.fn<() => boolean>(() => true)
    Object.defineProperty(popup, 'closed', { get: readClosed, set: vi.fn<(isClosed: boolean) => void>() })
    await waitFor(() => expect(readClosed.mock.calls.length).toBeGreaterThan(1))
    expect(api.requestsTo('integrations.list')).toHaveLength(before)
    hasFocus.mockReturnValue(true)
    await waitFor(() => expect(api.requestsTo('integrations.list').length).toBeGreaterThan(before))
  })

  it('DEC-093 handles a success message that arrives after the window seemed closed', async () => {
    open()
    await submitSetup()
    await waitFor(() => expect(listToasts()).toEqual([startedToast]))
    popup.closed = true
    await screen.findByRole('button', { name: 'Setup ~5 mins Slack' })
    addConnection()
    broadcast({ type: 'oauth-success', state })
    await waitFor(() => expect(listToasts()).toEqual([startedToast, connectedToast]))
  })

  it('INT-70 DEC-081 shows an error when the result could not be loaded', async () => {
    let isOffline = false
    open({
      'integrations.list': () => {
        if (isOffline) throw new NetworkError()
        return { integrations: rows }
      },
    })
    await submitSetup()
    await waitFor(() => expect(listToasts()).toEqual([startedToast]))
    isOffline = true
    broadcast({ type: 'oauth-success', state })
    await waitFor(() =>
      expect(listToasts().at(-1)).toEqual([
        'Connection Error',
        'Failed to complete connection. Please try again.',
      ]),
    )
  })

  it('INT-70 OAUTH-09 shows one toast per failed flow, also when the window seemed closed before', async () => {
    let isOffline = false
    open({
      'integrations.list': () => {
        if (isOffline) throw new NetworkError()
        return { integrations: rows }
      },
    })
    await submitSetup()
    await waitFor(() => expect(listToasts()).toEqual([startedToast]))
    isOffline = true
    const getErrorToasts = () => vi.mocked(showToast).mock.calls.filter(([kind]) => kind === 'error')
    popup.closed = true
    await waitFor(() => expect(getErrorToasts()).toHaveLength(1))
    broadcast({ type: 'oauth-error', state, error: 'OAuth provider error: access_denied' })
    await waitFor(() => expect(getErrorToasts()).toHaveLength(2))
    // a toast with the same id is replaced
    expect(getErrorToasts().map(([, , options]) => options?.id)).toEqual([`oauth ${state}`, `oauth ${state}`])
  })

  it('shows no toast for a sign-in that ends after the user of the page has signed out', async () => {
    const { client } = open()
    await submitSetup()
    await waitFor(() => expect(listToasts()).toEqual([startedToast]))
    closeUserResources(client)
    await act(async () => broadcast({ type: 'oauth-error', state, error: 'No.' }))
    await waitFor(() => expect(loadLatestAttempt()).toBeUndefined())
    expect(listToasts()).toEqual([startedToast])
  })

  it('OAUTH-22 says when the popup was blocked', async () => {
    windowOpen.mockReturnValue(null)
    open()
    await submitSetup()
    const userMessage = 'Failed to open OAuth popup. Please allow popups for this site.'
    expect(await within(screen.getByRole('dialog')).findByText(userMessage)).toBeTruthy()
    expect(listToasts()).toEqual([['Connection Failed', userMessage]])
    expect(api.requestsTo('oauth.handle')).toEqual([])
  })

  it.each([
    [
      'OAUTH-24',
      'a response without a URL',
      () => ({ success: true as const, message: '', provider: '' }),
      ['Connection Failed', 'No authorization URL received'],
    ],
    [
      'DEC-088',
      'a URL that is not https',
      () => ({ success: true as const, message: '', provider: '', authUrl: 'javascript:alert(1)' }),
      ['Connection Failed', 'The provider’s address is not safe to open.'],
    ],
    [
      'SETUP-24',
      'an error',
      () => {
        throw new ApiError({ status: 400, code: 'x', userMessage: 'No such app.' })
      },
      ['Connection Failed', 'No such app.'],
    ],
    [
      'DEC-110',
      'an error without a message',
      () => {
        throw new ApiError({ status: 500, code: 'unreadable', userMessage: '?' })
      },
      ['Connection Failed', 'Failed to connect'],
    ],
    [
      'INT-69 DEC-081',
      'no response',
      () => {
        throw new NetworkError({ hasTimedOut: true })
      },
      ['Connection Error', 'Failed to initiate connection. Please try again.'],
    ],
  ] as const)('%s closes the window after %s', async (_, __, handle, toast) => {
    open({ 'oauth.handle': handle })
    await submitSetup()
    await waitFor(() => expect(listToasts()).toEqual([toast]))
    expect(popup.closed).toBe(true)
    expect(replace).not.toHaveBeenCalled()
    expect(await within(screen.getByRole('dialog')).findByText(toast[1])).toBeTruthy()
  })
})

it('leaves no empty window if the connection is busy with something else', async () => {
  let startOAuth: ReturnType<typeof useStartOAuth> | undefined
  function Probe() {
    startOAuth = useStartOAuth('u1')
    return null
  }
  const { client } = renderPage(<Probe />)
  const refreshing = Promise.withResolvers<void>()
  const { start } = getUserResource(client, createActions)
  act(() => void start('connection slack', () => refreshing.promise, 'refreshing'))
  const card = {
    id: 'slack',
    entry: anEntry(),
    isAllowed: true,
    environment: 'production',
    connection: undefined,
  } as const
  expect(await startOAuth?.(card, noOAuthValues)).toEqual({ message: undefined, needsSetup: false })
  expect([windowOpen.mock.calls.length, popup.closed]).toEqual([1, true])
  await act(async () => refreshing.resolve())
})

it('a setup dialog that is opened again does not show the error of before', async () => {
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'Setup ~5 mins Slack' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.click(dialog.getByRole('button', { name: 'Connect to Slack Live' }))
  expect(dialog.getByText('Client ID is required to continue')).toBeTruthy()
  fireEvent.click(dialog.getByRole('button', { name: 'Close' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Setup ~5 mins Slack' }))
  await screen.findByRole('dialog')
  expect(screen.queryByText('Client ID is required to continue')).toBeNull()
})

describe('DEC-186 a server without client registration', () => {
  const [clientRedirectUri, nextRedirectUri] = ['1', '2'].map(
    (hash) => `${location.origin}/oauth/server-callback/${hash}`,
  )
  const createManualResponse = (redirect = clientRedirectUri) => ({
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
  async function openNotes(handlers: RouteHandlers = {}) {
    let calls = 0
    open({
      'registry.page': () => ({ items: [notes], total: 1, hasMore: false, page: 1 }),
      // meanwhile the server has changed to another authorization server
      'oauth.handle': ({ body }) => {
        calls += 1
        if (calls <= 2) return createManualResponse(calls === 1 ? clientRedirectUri : nextRedirectUri)
        expect(body).toMatchObject({ clientId: 'my-client', redirectUri: nextRedirectUri })
        return { success: true, message: '', provider: 'Notes', authUrl }
      },
      ...handlers,
    })
    fireEvent.click(await screen.findByRole('button', { name: /Notes$/ }))
    return within(await screen.findByRole('dialog'))
  }

  it('shows its redirect URI and asks for a Client ID; shows a new redirect URI if the authorization server has changed', async () => {
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

  it('offers to use an API key instead', async () => {
    const dialog = await openNotes()
    fireEvent.click(dialog.getByRole('button', { name: 'Use an API key instead' }))
    expect(dialog.queryByLabelText('Paste your Slack Client ID:')).toBeNull()
    expect(dialog.getByLabelText(/^API key/i)).toBeTruthy()
    fireEvent.click(dialog.getByRole('button', { name: 'Use a Client ID instead' }))
    expect(dialog.getByLabelText('Paste your Slack Client ID:')).toBeTruthy()
  })
})

describe('a server with a sign-in at another host (H2)', () => {
  const message =
    'Slack (evil.example) signs you in at legit.com. What you allow there, evil.example may use.'
  const foreignSignInResponse = {
    success: true as const,
    message,
    provider: 'Slack',
    foreignSignIn: { server: 'evil.example', signsInAt: ['legit.com'] },
  }
  const findConnectButton = () => screen.findByRole('button', { name: 'Connect to Slack Live' })
  let frame: HTMLIFrameElement
  const withinPopup = () => within(frame.contentDocument?.body as HTMLElement)
  const getAgreedHosts = () =>
    api.requestsTo('oauth.handle').map(({ body }) => (body && 'agreedTo' in body ? body.agreedTo : undefined))

  beforeEach(async () => {
    frame = document.createElement('iframe')
    document.body.append(frame)
    const { contentDocument: frameDocument, contentWindow: frameWindow } = frame
    Object.assign(popup, { document: frameDocument, focus: () => frameWindow?.focus() })
    open({
      'oauth.handle': ({ body }) =>
        'agreedTo' in body && body.agreedTo
          ? { success: true, message: '', provider: 'Slack', authUrl }
          : foreignSignInResponse,
    })
    await submitSetup()
    await withinPopup().findByRole('alertdialog')
  })
  afterEach(() => frame.remove())

  it('is announced in the window before the flow continues, with the focus on Cancel', () => {
    expect(withinPopup().getByRole('alertdialog', { name: 'Let evil.example use legit.com?' })).toBeTruthy()
    expect(withinPopup().getByText(message)).toBeTruthy()
    expect(frame.contentDocument?.activeElement?.textContent).toBe('Cancel')
    expect(replace).not.toHaveBeenCalled()
  })

  it('reads in the direction of the page', async () => {
    fireEvent.click(withinPopup().getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(popup.closed).toBe(true))
    document.documentElement.dir = 'rtl'
    popup.closed = false
    fireEvent.click(await findConnectButton())
    await withinPopup().findByRole('alertdialog')
    const direction = frame.contentDocument?.documentElement.dir
    document.documentElement.dir = 'ltr'
    expect(direction).toBe('rtl')
  })

  it('continues after Continue, with the hosts that were shown', async () => {
    fireEvent.click(withinPopup().getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(replace).toHaveBeenCalledWith(authUrl))
    expect(getAgreedHosts()).toEqual([undefined, ['legit.com']])
  })

  it.each([
    ['Cancel', () => fireEvent.click(withinPopup().getByRole('button', { name: 'Cancel' }))],
    [
      'Escape',
      () => fireEvent.keyDown(withinPopup().getByRole('button', { name: 'Cancel' }), { key: 'Escape' }),
    ],
    ['closing the window', () => (popup.closed = true)],
  ])('does not continue after %s, and shows no error', async (_, decline) => {
    decline()
    await waitFor(() => expect(popup.closed).toBe(true))
    await findConnectButton()
    // what was entered is still there
    expect(screen.getByLabelText<HTMLInputElement>('Paste your Slack Client ID:').value).toBe('12.34')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(getAgreedHosts()).toEqual([undefined])
    expect(replace).not.toHaveBeenCalled()
    expect(listToasts()).toEqual([])
  })
})

it.each([
  [['a.example'], 'Let evil.example use a.example?'],
  [['a.example', 'b.example'], 'Let evil.example use a.example and b.example?'],
  [['a.example', 'b.example', 'c.example'], 'Let evil.example use a.example, b.example, and c.example?'],
])('lists the hosts %j in the title', (hosts, title) => {
  expect(formatQuestion('evil.example', hosts)).toBe(title)
})

it.each([
  [{ type: 'oauth-success', state: 's' }, true],
  [{ type: 'oauth-error', state: 's', error: 'e' }, true],
  [{ type: 'oauth-error', state: 's' }, false],
  [{ type: 'oauth-success' }, false],
  [{ type: 'other', state: 's' }, false],
  [null, false],
  ['oauth-success', false],
])('DEC-094 recognises the message %o: %s', (message, expected) => {
  expect(isOAuthMessage(message)).toBe(expected)
})
