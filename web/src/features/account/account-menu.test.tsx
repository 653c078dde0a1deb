import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { useLocation } from '../../lib/navigation/router.tsx'
import { expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { getDisplayName, getInitials } from '../../lib/account/use-profile.ts'
import { getTheme } from '../../lib/browser/theme.ts'
import { AccountMenu } from './account-menu.tsx'

const signOut = vi.fn<() => void>()

let api: ReturnType<typeof fakeApi>

function CurrentPath() {
  return <output>{useLocation().pathname}</output>
}

function open(fullName: string, isAdmin = false) {
  const user = { sub: 'u1', email: 'mika.k@roastery.example', fullName }
  const profile = {
    name: getDisplayName(fullName, user.email),
    email: user.email,
    initials: getInitials(fullName, user.email),
    imageUrl: undefined,
  }
  const account = {
    profile: { display_name: fullName, avatar_id: null },
    settings: { keep_conversations: true, store_uploads: true, theme: null },
  }
  api = fakeApi({
    'account.read': () => ({ ...account, ...(isAdmin && { is_admin: true as const, groups: ['admins'] }) }),
    'account.settings': ({ body }) => ({
      ...account,
      settings: { ...account.settings, theme: body.theme ?? null },
    }),
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <CurrentPath />
        <AccountMenu
          profile={profile}
          open
          onOpenChange={() => undefined}
          onShowShortcuts={() => undefined}
          onSignOut={signOut}
        />
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

it('MENU-01 MENU-02 MENU-03 shows initials, name and e-mail', () => {
  open('Mika Korhonen')
  expect(screen.getByText('Mika Korhonen')).toBeDefined()
  expect(screen.getByText('mika.k@roastery.example')).toBeDefined()
  expect(screen.getByLabelText('MK, account menu', { selector: 'button' })).toBeDefined()
})

it('SET-06 MENU-03 DEC-035 shows the local part of the e-mail if there is no name', () => {
  open('')
  expect(screen.getByText('mika.k@roastery.example')).toBeDefined()
  expect(screen.getByText('mika.k')).toBeDefined()
  expect(screen.getByLabelText('MI, account menu', { selector: 'button' })).toBeDefined()
})

it.each([
  ['MENU-04', 'Profile', '/profile'],
  ['MENU-05', 'Settings', '/settings'],
])('%s %s opens %s', (_, name, path) => {
  open('Mika')
  fireEvent.click(screen.getByRole('menuitem', { name }))
  expect(screen.getByRole('status', { hidden: true }).textContent).toBe(path)
})

it('DEC-188 links to the administration only for administrators', async () => {
  open('Mika')
  await waitFor(() => expect(api.requestsTo('account.read')).toHaveLength(1))
  expect(screen.queryByRole('menuitem', { name: 'Administration' })).toBeNull()
  cleanup()
  open('Mika', true)
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Administration' }))
  expect(screen.getByRole('status', { hidden: true }).textContent).toBe('/admin/users')
})

it('MENU-06 logs out', () => {
  open('Mika')
  fireEvent.click(screen.getByRole('menuitem', { name: 'Log out' }))
  expect(signOut).toHaveBeenCalledOnce()
})

it('LIB-20 DEC-101 selects the theme, and the menu stays open', async () => {
  open('Mika')
  expect(screen.getByRole('menuitemradio', { name: 'System' }).getAttribute('aria-checked')).toBe('true')
  fireEvent.click(screen.getByRole('menuitemradio', { name: 'Dark' }))
  expect(getTheme()).toBe('dark')
  await waitFor(() => expect(api.requestsTo('account.settings')).toEqual([{ body: { theme: 'dark' } }]))
  fireEvent.click(screen.getByRole('menuitemradio', { name: 'System' }))
  expect(getTheme()).toBe('system')
})
