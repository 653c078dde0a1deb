import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from '../../../test/support/memory-router.tsx'
import { expect, it, vi } from 'vitest'
import { AuthContext } from '../features/auth/auth-context.ts'
import { fakeApi } from '../../../test/support/fake-api.ts'
import { holdTimers } from '../../../test/support/hold-timers.ts'
import { TopBar } from './top-bar.tsx'

/** after which a browser without idle callbacks counts as idle */
const idleMs = 200

function renderBar() {
  const account = {
    profile: { display_name: 'Mika Korhonen', avatar_id: null },
    settings: { keep_conversations: true, store_uploads: true, theme: null },
  }
  fakeApi({
    'account.read': () => account,
    'integrations.list': () => ({ integrations: [] }),
    'tools.list': () => ({ integrations: [] }),
  })
  const onToggleHistory = vi.fn<() => void>()
  const user = { sub: 'u1', email: 'mika@roastery.example', fullName: 'Mika Korhonen' }
  const noop = async () => undefined
  const auth = {
    state: { status: 'signed-in', user },
    refresh: noop,
    expireSignIn: noop,
    signOut: noop,
  } as const
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <AuthContext value={auth}>
          <TopBar user={user} isHistoryShown={undefined} onToggleHistory={onToggleHistory} />
        </AuthContext>
      </MemoryRouter>
    </QueryClientProvider>,
  )
  return { onToggleHistory }
}

async function open() {
  const bar = renderBar()
  await screen.findByRole('link', { name: 'Connect Tools' })
  return bar
}

it('TOP-01 TOP-03 TOP-05 shows its controls in the order of the specification', async () => {
  await open()
  expect(screen.getByRole('link', { name: 'Juno' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'MK, account menu' })).toBeTruthy()
  const controls = screen.getByRole('banner').querySelectorAll('a, button')
  expect([...controls].map((control) => control.getAttribute('aria-label') ?? control.textContent)).toEqual([
    'Your Conversations',
    'Juno',
    'Connect Tools',
    'Tools',
    'MK, account menu',
  ])
})

it('opens the history with its first button', async () => {
  const { onToggleHistory } = await open()
  fireEvent.click(screen.getByRole('button', { name: 'Your Conversations' }))
  expect(onToggleHistory).toHaveBeenCalledOnce()
})

it.each([
  ['a press', (button: HTMLElement) => fireEvent.pointerDown(button, { button: 0 })],
  ['a click', (button: HTMLElement) => fireEvent.click(button)],
  ['arrow down', (button: HTMLElement) => fireEvent.keyDown(button, { key: 'ArrowDown' })],
])('opens the account menu by %s while its code loads', async (_, activate) => {
  const fireTimers = holdTimers(idleMs)
  renderBar()
  activate(screen.getByRole('button', { name: 'MK, account menu' }))
  fireTimers()
  expect(await screen.findByRole('menuitem', { name: 'Settings' })).toBeTruthy()
})

it('keeps the focus of the account button when its code has loaded', async () => {
  const fireTimers = holdTimers(idleMs)
  renderBar()
  const button = screen.getByRole('button', { name: 'MK, account menu' })
  act(() => button.focus())
  await act(async () => {
    fireTimers()
    await import('../features/account/account-menu.tsx')
  })
  expect(document.activeElement).toBe(button)
  act(() => button.blur())
  const loadedButton = await screen.findByRole('button', { name: 'MK, account menu', expanded: false })
  expect(loadedButton).not.toBe(button)
})
