import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Integration } from '#shared/contracts/integrations.ts'
import { dismissToast, showToast } from '../../../components/ui/toast.ts'
import { ApiError } from '../../../lib/api-errors.ts'
import { broadcastOAuthResult } from '../oauth/oauth-popup.ts'
import { Reconnect } from './reconnect.tsx'
import { type Answers, fakeApi } from '../../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../../test/support/render-page.tsx'
import { anEntry, anIntegration } from '../../../../../test/support/connections.ts'

vi.mock('../../../components/ui/toast.ts', () => ({
  showToast: vi.fn<typeof showToast>(),
  dismissToast: vi.fn<typeof dismissToast>(),
}))

const since = '2026-11-20T09:00:00Z'
const onConnected = vi.fn<() => void>()
const windowOpen = vi.fn<typeof window.open>()
let rows: Integration[]
let api: ReturnType<typeof fakeApi>

beforeEach(() => {
  onConnected.mockReset()
  rows = [anIntegration({ token_status: 'invalid', updated_at: '2026-11-20T09:00:01Z' })]
  windowOpen.mockReset().mockReturnValue(null)
  vi.stubGlobal('open', windowOpen)
})

function show(over: Answers = {}) {
  api = fakeApi({
    'registry.one': () => ({ entry: anEntry() }),
    'integrations.list': () => ({ integrations: rows }),
    ...over,
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
const ready = async () => {
  const button = await screen.findByRole('button', { name: 'Reconnect' })
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull())
  return button
}

it('opens the window in the click itself, and says when it was blocked', async () => {
  show()
  const button = await ready()
  fireEvent.click(button)
  expect(windowOpen).toHaveBeenCalledOnce()
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to open OAuth popup')
  fireEvent.click(screen.getByRole('button', { name: 'Set up Slack again' }))
  expect(await screen.findByRole('dialog')).toBeTruthy()
})

it('keeps what was entered for a sign-in that failed in the window', async () => {
  show({
    'oauth.handle': () => ({
      success: true,
      message: '',
      provider: 'Slack',
      authUrl: 'https://slack.com/a?state=s1',
    }),
  })
  fireEvent.click(await ready())
  fireEvent.click(await screen.findByRole('button', { name: 'Set up Slack again' }))
  const popup = { closed: false, close: () => undefined, location: { replace: () => undefined } }
  windowOpen.mockReturnValue(popup as unknown as Window)
  const clientId = await screen.findByLabelText('Paste your Slack Client ID:')
  fireEvent.change(clientId, { target: { value: 'my-app' } })
  fireEvent.click(screen.getByRole('button', { name: 'Connect to Slack Live' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  broadcastOAuthResult({ type: 'oauth-error', state: 's1', error: 'You did not grant the permission.' })
  expect((await screen.findByRole('alert')).textContent).toContain('You did not grant the permission.')
  fireEvent.click(screen.getByRole('button', { name: 'Set up Slack again' }))
  const again = await screen.findByLabelText<HTMLInputElement>('Paste your Slack Client ID:')
  expect(again.value).toBe('my-app')
})

it('DEC-126 goes on once a server that names no end has granted a token', async () => {
  rows = [anIntegration({ token_status: 'unknown', updated_at: '2026-11-20T09:00:01Z' })]
  show()
  await waitFor(() => expect(onConnected).toHaveBeenCalledOnce())
})

it('begins the flow with nothing typed: what was typed before is known', async () => {
  const popup = { closed: false, close: () => undefined, location: { replace: vi.fn<() => void>() } }
  windowOpen.mockReturnValue(popup as unknown as Window)
  show({
    'oauth.handle': () => ({
      success: true,
      message: '',
      provider: 'Slack',
      authUrl: 'https://slack.com/a?state=s',
    }),
  })
  fireEvent.click(await ready())
  await waitFor(() => expect(popup.location.replace).toHaveBeenCalled())
  expect(api.requestsTo('oauth.handle')[0]?.body).toMatchObject({ action: 'initiate', mcpId: 'slack' })
  expect(api.requestsTo('oauth.handle')[0]?.body).not.toHaveProperty('clientId')
  popup.closed = true
})

it('DEC-186 signs in again at a server of the catalogue that was connected by a sign-in', async () => {
  const popup = { closed: false, close: () => undefined, location: { replace: vi.fn<() => void>() } }
  windowOpen.mockReturnValue(popup as unknown as Window)
  rows = [anIntegration({ auth_type: 'oauth2', token_status: 'invalid' })]
  const message = 'Notes does not register apps by itself.'
  const manualRegistration = { clientRedirectUri: 'https://juno.example/oauth/1', registerAt: 'a.example' }
  show({
    'registry.one': () => ({ entry: anEntry({ auth_type: 'unknown', one_click: true }) }),
    'oauth.handle': () => ({ success: true, message, provider: 'Notes', manualRegistration }),
  })
  fireEvent.click(await ready())
  expect((await screen.findByRole('alert')).textContent).toContain(message)
  fireEvent.click(screen.getByRole('button', { name: /^Set up/ }))
  expect(await screen.findByText(manualRegistration.clientRedirectUri)).toBeTruthy()
})

it('goes on once by itself when the connection is there, wherever it was made', async () => {
  show()
  await ready()
  expect(onConnected).not.toHaveBeenCalled()
  rows = [anIntegration({ updated_at: '2026-11-20T09:05:00Z' })]
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  const go = await screen.findByRole('button', { name: 'Continue' })
  expect(onConnected).toHaveBeenCalledOnce()
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  fireEvent.click(go)
  expect(onConnected).toHaveBeenCalledTimes(2)
})

it('asks for the key in the dialog where there is no window of a provider', async () => {
  const field = { name: 'apiKey', label: 'API key', secret: true, placeholder: '' }
  const entry = anEntry({ auth_type: 'api_key', credential_fields: [field] })
  show({
    'registry.one': () => ({ entry }),
    'integrations.connect': () => ({ success: true, integration: anIntegration({ auth_type: 'api_key' }) }),
  })
  fireEvent.click(await ready())
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('API key'), { target: { value: 'k' } })
  rows = [anIntegration({ updated_at: '2026-11-20T09:05:00Z' })]
  await act(async () => void fireEvent.click(dialog.getByRole('button', { name: 'Connect to Slack Live' })))
  await waitFor(() => expect(onConnected).toHaveBeenCalledOnce())
})

it('points to the integrations for what is in no catalogue', async () => {
  show({
    'registry.one': () => {
      throw new ApiError({ status: 404, code: 'entry_not_found', userMessage: 'no' })
    },
  })
  const link = await screen.findByRole('link', { name: 'Open integrations' })
  expect(link.getAttribute('href')).toBe('/integrations')
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
  expect(onConnected).toHaveBeenCalledOnce()
})

it('takes another key for a custom tool in place, and goes on once its server accepts it', async () => {
  const answers = [
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
    'customTools.setKey': () => answers.shift()?.() ?? { success: true as const, tool: aTool },
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
  fireEvent.click(save)
  expect(await screen.findByText('Locked did not accept it.')).toBeTruthy()
  expect(onConnected).not.toHaveBeenCalled()
  fireEvent.change(field, { target: { value: 'key-2' } })
  fireEvent.submit(field.closest('form')!)
  await waitFor(() => expect(onConnected).toHaveBeenCalledOnce())
  expect(api.requestsTo('customTools.setKey')).toEqual([
    { params: { toolId: 't1' }, body: { apiKey: 'key-1' } },
    { params: { toolId: 't1' }, body: { apiKey: 'key-2' } },
  ])
})
