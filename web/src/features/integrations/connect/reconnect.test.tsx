import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Connection } from '#shared/contracts/integrations.ts'
import { dismissToast, showToast } from '../../../components/ui/toast.ts'
import { ApiError } from '../../../lib/api/api-errors.ts'
import { isLeaveGuarded } from '../../../lib/input/leave-guard.ts'
import { broadcastOAuthResult } from '../oauth/oauth-popup.ts'
import { Reconnect } from './reconnect.tsx'
import { type RouteHandlers, fakeApi } from '../../../../../test/support/fake-api.ts'
import { limitTools, renderPage } from '../../../../../test/support/render-page.tsx'
import { anEntry, anIntegration, aPublishedEntry } from '../../../../../test/support/connections.ts'

vi.mock('../../../components/ui/toast.ts', () => ({
  showToast: vi.fn<typeof showToast>(),
  dismissToast: vi.fn<typeof dismissToast>(),
}))

const since = '2026-11-20T09:00:00Z'
const onConnected = vi.fn<() => void>()
const windowOpen = vi.fn<typeof window.open>()
let rows: Connection[]
let api: ReturnType<typeof fakeApi>

beforeEach(() => {
  onConnected.mockReset()
  vi.mocked(showToast).mockReset()
  rows = [anIntegration({ token_status: 'invalid', updated_at: '2026-11-20T09:00:01Z' })]
  windowOpen.mockReset().mockReturnValue(null)
  vi.stubGlobal('open', windowOpen)
})

function open(handlers: RouteHandlers = {}) {
  api = fakeApi({
    'registry.one': () => ({ entry: anEntry() }),
    'integrations.list': () => ({ integrations: rows }),
    ...handlers,
  })
  return renderPage(
    <Reconnect
      userId="u1"
      mcpId="slack"
      name="Slack"
      since={since}
      needsKey={false}
      busy={false}
      onConnected={onConnected}
    />,
  )
}
const waitForButton = async () => {
  const button = await screen.findByRole('button', { name: 'Reconnect' })
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull())
  return button
}

it('offers nothing that the groups of the user do not allow', async () => {
  const { client } = open({ 'registry.one': () => ({ entry: aPublishedEntry() }) })
  act(() => limitTools(client, 'built_in'))
  await screen.findByText('Your administrator does not allow it.')
  expect(screen.queryByRole('button')).toBeNull()
})

it('opens the window during the click, and says when it was blocked', async () => {
  open()
  const button = await waitForButton()
  fireEvent.click(button)
  expect(windowOpen).toHaveBeenCalledOnce()
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to open OAuth popup')
  expect(showToast).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: 'Set up Slack again' }))
  expect(await screen.findByRole('dialog')).toBeTruthy()
})

const startsSlack: RouteHandlers = {
  'oauth.handle': () => ({
    success: true,
    message: '',
    provider: 'Slack',
    authUrl: 'https://slack.com/a?state=s1',
  }),
}

it('a sign-in that fails when the card is gone is told by a toast', async () => {
  const popup = { closed: false, close: () => undefined, location: { replace: vi.fn<() => void>() } }
  windowOpen.mockReturnValue(popup as unknown as Window)
  const { unmount } = open(startsSlack)
  fireEvent.click(await waitForButton())
  await waitFor(() => expect(popup.location.replace).toHaveBeenCalled())
  unmount()
  broadcastOAuthResult({ type: 'oauth-error', state: 's1', error: 'You did not grant the permission.' })
  await waitFor(() => expect(showToast).toHaveBeenCalledWith('error', 'Connection Failed', expect.anything()))
})

it('keeps the entered values when the sign-in fails in the window', async () => {
  open(startsSlack)
  fireEvent.click(await waitForButton())
  fireEvent.click(await screen.findByRole('button', { name: 'Set up Slack again' }))
  const popup = { closed: false, close: () => undefined, location: { replace: () => undefined } }
  windowOpen.mockReturnValue(popup as unknown as Window)
  const clientId = await screen.findByLabelText('Paste your Slack Client ID:')
  fireEvent.change(clientId, { target: { value: 'my-app' } })
  fireEvent.click(screen.getByRole('button', { name: 'Connect to Slack Live' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  broadcastOAuthResult({ type: 'oauth-error', state: 's1', error: 'You did not grant the permission.' })
  expect((await screen.findByRole('alert')).textContent).toContain('You did not grant the permission.')
  expect(showToast).not.toHaveBeenCalledWith('error', expect.anything(), expect.anything())
  fireEvent.click(screen.getByRole('button', { name: 'Set up Slack again' }))
  const reopenedField = await screen.findByLabelText<HTMLInputElement>('Paste your Slack Client ID:')
  expect(reopenedField.value).toBe('my-app')
})

it('DEC-126 continues when the server granted a token without an expiry', async () => {
  rows = [anIntegration({ token_status: 'unknown', updated_at: '2026-11-20T09:00:01Z' })]
  open()
  await waitFor(() => expect(onConnected).toHaveBeenCalledOnce())
})

it('starts the flow without a client ID, because the stored one is used', async () => {
  const popup = { closed: false, close: () => undefined, location: { replace: vi.fn<() => void>() } }
  windowOpen.mockReturnValue(popup as unknown as Window)
  open({
    'oauth.handle': () => ({
      success: true,
      message: '',
      provider: 'Slack',
      authUrl: 'https://slack.com/a?state=s',
    }),
  })
  fireEvent.click(await waitForButton())
  await waitFor(() => expect(popup.location.replace).toHaveBeenCalled())
  expect(api.requestsTo('oauth.handle')[0]?.body).toMatchObject({ action: 'initiate', mcpId: 'slack' })
  expect(api.requestsTo('oauth.handle')[0]?.body).not.toHaveProperty('clientId')
  popup.closed = true
})

it('DEC-186 starts the sign-in again for a server of the catalogue that was connected with OAuth', async () => {
  const popup = { closed: false, close: () => undefined, location: { replace: vi.fn<() => void>() } }
  windowOpen.mockReturnValue(popup as unknown as Window)
  rows = [anIntegration({ auth_type: 'oauth2', token_status: 'invalid' })]
  const message = 'Notes does not register apps by itself.'
  const manualRegistration = { clientRedirectUri: 'https://juno.example/oauth/1', registerAt: 'a.example' }
  open({
    'registry.one': () => ({ entry: anEntry({ auth_type: 'unknown', one_click: true }) }),
    'oauth.handle': () => ({ success: true, message, provider: 'Notes', manualRegistration }),
  })
  fireEvent.click(await waitForButton())
  expect((await screen.findByRole('alert')).textContent).toContain(message)
  fireEvent.click(screen.getByRole('button', { name: /^Set up/ }))
  expect(await screen.findByText(manualRegistration.clientRedirectUri)).toBeTruthy()
})

it('continues once automatically when the connection was made elsewhere', async () => {
  open()
  await waitForButton()
  expect(onConnected).not.toHaveBeenCalled()
  rows = [anIntegration({ updated_at: '2026-11-20T09:05:00Z' })]
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  const continueButton = await screen.findByRole('button', { name: 'Continue' })
  expect(onConnected).toHaveBeenCalledOnce()
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  fireEvent.click(continueButton)
  expect(onConnected).toHaveBeenCalledTimes(2)
})

it('asks for the key in the dialog if the integration has no OAuth sign-in', async () => {
  const field = { name: 'apiKey', label: 'API key', secret: true, placeholder: '' }
  const entry = anEntry({ auth_type: 'api_key', credential_fields: [field] })
  open({
    'registry.one': () => ({ entry }),
    'integrations.connect': () => ({ success: true, integration: anIntegration({ auth_type: 'api_key' }) }),
  })
  fireEvent.click(await waitForButton())
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('API key'), { target: { value: 'k' } })
  rows = [anIntegration({ updated_at: '2026-11-20T09:05:00Z' })]
  await act(async () => void fireEvent.click(dialog.getByRole('button', { name: 'Connect to Slack Live' })))
  await waitFor(() => expect(onConnected).toHaveBeenCalledOnce())
})

it('links to the integrations page for an integration that is not in the catalogue', async () => {
  open({
    'registry.one': () => {
      throw new ApiError({ status: 404, code: 'entry_not_found', userMessage: 'no' })
    },
  })
  const link = await screen.findByRole('link', { name: 'Open integrations' })
  expect(link.getAttribute('href')).toBe('/integrations')
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
  expect(onConnected).toHaveBeenCalledOnce()
})

it('accepts a new key for a custom tool in place, and continues once its server accepts it', async () => {
  const handlers = [
    () => {
      throw new ApiError({
        status: 422,
        code: 'credentials_refused',
        userMessage: 'Locked did not accept it.',
      })
    },
    () => ({ success: true as const, tool: aTool }),
  ]
  const aTool = {
    id: 't1',
    user_id: 'u1',
    name: 'Locked',
    description: '',
    config: { serverUrl: '', apiKey: '••••', customFields: {} },
    is_active: true,
    created_at: since,
  }
  api = fakeApi({
    'customTools.setKey': () => handlers.shift()?.() ?? { success: true as const, tool: aTool },
  })
  renderPage(
    <Reconnect
      userId="u1"
      mcpId="t1"
      name="Locked"
      since={since}
      needsKey
      busy={false}
      onConnected={onConnected}
    />,
  )
  const field = await screen.findByLabelText('New key of Locked')
  expect(field.getAttribute('type')).toBe('password')
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save and continue' })
  expect(save.disabled).toBe(true)
  fireEvent.change(field, { target: { value: ' key-1 ' } })
  expect(isLeaveGuarded()).toBe(true)
  fireEvent.click(save)
  expect(await screen.findByText('Locked did not accept it.')).toBeTruthy()
  expect(onConnected).not.toHaveBeenCalled()
  fireEvent.change(field, { target: { value: 'key-2' } })
  fireEvent.submit(field.closest('form')!)
  await waitFor(() => expect(onConnected).toHaveBeenCalledOnce())
  expect(isLeaveGuarded()).toBe(false)
  expect(api.requestsTo('customTools.setKey')).toEqual([
    { params: { toolId: 't1' }, body: { apiKey: 'key-1' } },
    { params: { toolId: 't1' }, body: { apiKey: 'key-2' } },
  ])
})
