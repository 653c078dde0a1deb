import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { NotificationsCard } from './notifications-card.tsx'

const renderCard = (settings = {}) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <NotificationsCard settings={settings} userId="ann" />
      </MemoryRouter>
    </QueryClientProvider>,
  )

afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker')
  localStorage.clear()
})

it('declining the browser’s permission leaves the switch off, with the reason', async () => {
  const browser = { permission: 'default', requestPermission: vi.fn<() => Promise<string>>() }
  browser.requestPermission.mockImplementation(async () => (browser.permission = 'denied'))
  vi.stubGlobal('Notification', browser)
  renderCard()
  const toggle = screen.getByRole('switch', { name: 'In this browser' })
  fireEvent.click(toggle)
  expect(await screen.findByText(/This browser blocks notifications of this site/)).toBeTruthy()
  expect(browser.requestPermission).toHaveBeenCalledOnce()
  expect(toggle.getAttribute('aria-checked')).toBe('false')
})

it('subscribes this browser for its user, and unsubscribes it', async () => {
  vi.stubGlobal('Notification', { permission: 'granted', requestPermission: async () => 'granted' })
  const endpoint = 'https://push.example/1'
  const unsubscribe = vi.fn<() => Promise<boolean>>(async () => true)
  const subscription = {
    endpoint,
    options: { applicationServerKey: Uint8Array.of(4, 1).buffer },
    unsubscribe,
    toJSON: () => ({ endpoint, keys: { p256dh: 'cA', auth: 'YQ' } }),
  }
  // of another user
  const old = { ...subscription, unsubscribe: vi.fn<() => Promise<boolean>>(async () => true) }
  const subscriptions = [old, subscription]
  const pushManager = {
    getSubscription: async () => subscriptions.shift(),
    subscribe: vi.fn<(options: PushSubscriptionOptionsInit) => Promise<typeof subscription>>(
      async () => subscription,
    ),
  }
  const serviceWorker = { getRegistration: async () => ({ pushManager }) }
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker })
  const api = fakeApi({
    'push.key': () => ({ publicKey: 'BAE', receivers: [] }),
    'push.subscribe': () => ({ success: true }),
    'push.unsubscribe': () => ({ success: true }),
  })
  renderCard()
  const toggle = screen.getByRole('switch', { name: 'In this browser' })
  fireEvent.click(toggle)
  await waitFor(() => expect(localStorage.getItem('juno.push-owner')).toBe('ann'))
  expect(old.unsubscribe).toHaveBeenCalledOnce()
  expect(pushManager.subscribe).toHaveBeenCalledWith({
    userVisibleOnly: true,
    applicationServerKey: Uint8Array.of(4, 1),
  })
  expect(api.requestsTo('push.subscribe')).toEqual([
    expect.objectContaining({ body: { endpoint, keys: { p256dh: 'cA', auth: 'YQ' } } }),
  ])
  fireEvent.click(toggle)
  await waitFor(() => expect(api.requestsTo('push.unsubscribe')).toHaveLength(1))
  expect(unsubscribe).toHaveBeenCalledOnce()
  expect(localStorage.getItem('juno.push-owner')).toBeNull()
})

it('saves each choice with the others', async () => {
  const settings = { keep_conversations: true, store_uploads: true, theme: null }
  const api = fakeApi({
    'account.settings': () => ({ profile: { display_name: '', avatar_id: null }, settings }),
  })
  renderCard({ mail: true })
  fireEvent.click(screen.getByRole('switch', { name: 'A reply is ready' }))
  await waitFor(() =>
    expect(api.requestsTo('account.settings')).toEqual([
      expect.objectContaining({ body: { notifications: { mail: true, ended: false } } }),
    ]),
  )
})

it('what has the focus keeps it while a change is saved, and changes nothing until then', async () => {
  const settings = { keep_conversations: true, store_uploads: true, theme: null }
  const saved = Promise.withResolvers<void>()
  const api = fakeApi({
    'account.settings': async () => {
      await saved.promise
      return { profile: { display_name: '', avatar_id: null }, settings }
    },
  })
  renderCard({ quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Europe/Oslo' } })
  const [from, to] = [screen.getByLabelText<HTMLInputElement>('From'), screen.getByLabelText('Until')]
  fireEvent.change(from, { target: { value: '21:00' } })
  from.focus()
  act(() => to.focus())
  const toggle = screen.getByRole('switch', { name: 'A reply is ready' })
  await waitFor(() => expect(toggle.ariaBusy).toBe('true'))
  fireEvent.click(toggle)
  expect([to, toggle].map((control) => control.matches(':disabled'))).toEqual([false, false])
  expect([document.activeElement, to.matches(':read-only')]).toEqual([to, true])
  await act(async () => saved.resolve())
  await waitFor(() => expect(toggle.ariaBusy).toBeNull())
  expect(to.matches(':read-only')).toBe(false)
  expect(api.requestsTo('account.settings')).toEqual([
    expect.objectContaining({
      body: { notifications: { quiet_hours: { from: '21:00', to: '07:00', time_zone: 'Europe/Oslo' } } },
    }),
  ])
})

it('a time that was emptied is shown again as it is stored', () => {
  renderCard({ quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Europe/Oslo' } })
  const from = screen.getByLabelText<HTMLInputElement>('From')
  from.focus()
  fireEvent.change(from, { target: { value: '' } })
  expect(from.value).toBe('')
  act(() => from.blur())
  expect(from.value).toBe('22:00')
})

it('quiet hours do not say that a schedule is silent after them, too', () => {
  renderCard()
  const { textContent } = screen.getByRole('switch', { name: 'Quiet hours' }).parentElement ?? {}
  expect(textContent).toContain('Nothing is sent then. Afterwards you are told of scheduled runs only.')
})
