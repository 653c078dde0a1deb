import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { Routes, useLocation } from '../../lib/navigation/router.tsx'
import { expect, it, vi } from 'vitest'
import {
  createAdminHandlers,
  aGroup,
  aUser,
  type Installation,
} from '../../../../test/support/admin-routes.ts'
import { fakeApi, type RouteHandlers } from '../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../test/support/render-page.tsx'
import { emptyDataCounts } from '#shared/contracts/account.ts'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError, NetworkError } from '../../lib/api/api-errors.ts'
import { RecentSignInContext } from '../../lib/sign-in/recent-sign-in.ts'
import { AdminPage } from './admin-page.tsx'

vi.mock('../../lib/api/config.ts', async (original) => ({
  ...(await original<object>()),
  getProviderLabel: (name: string) => (name === 'Entra' ? 'Work account' : name),
}))
vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const signedInUser = { sub: 'mika', email: 'mika@roastery.example', fullName: 'Mika' }

const requestSignIn = vi.fn<() => Promise<boolean>>()

function CurrentAddress() {
  const { pathname, search } = useLocation()
  return <output data-testid="address">{pathname + search}</output>
}

function Page() {
  const [isAdmin, setIsAdmin] = useState(true)
  return (
    <RecentSignInContext value={requestSignIn}>
      <CurrentAddress />
      <button onClick={() => setIsAdmin(false)}>revoke the role</button>
      <Routes pages={{ '/admin/*': <AdminPage user={signedInUser} isAdmin={isAdmin} /> }} />
    </RecentSignInContext>
  )
}
const getAddress = () => screen.getByTestId('address').textContent

function open(path: string, changes: Partial<Installation> = {}, more: RouteHandlers = {}) {
  const installation: Installation = {
    users: [
      aUser('ada', { name: 'Ada Lovelace', groups: ['editors'], two_factor: true }),
      aUser('bo', { status: 'disabled', sign_in: 'Google' }),
      aUser('mika', { groups: ['admins'] }),
    ],
    groups: [aGroup('admins', { members: 1 }), aGroup('editors', { members: 1 })],
    invitations: [],
    entries: [],
    ...changes,
  }
  const handlers = { ...createAdminHandlers(installation), ...more }
  const api = fakeApi(handlers)
  renderPage(<Page />, path)
  return { api, handlers, installation }
}
const click = (name: string | RegExp, role: 'button' | 'link' = 'button') =>
  act(async () => fireEvent.click(screen.getByRole(role, { name })))
const getDialog = () => within(screen.getByRole('dialog'))
const confirm = (name: string) => act(async () => fireEvent.click(getDialog().getByRole('button', { name })))
const getRows = (list: string) => within(screen.getByRole('list', { name: list })).getAllByRole('listitem')

it('opens with the list of users, page by page', async () => {
  open('/admin')
  expect(screen.getByRole('progressbar', { name: 'Loading the users' })).toBeTruthy()
  await screen.findByText('ada@roastery.example')
  expect(getAddress()).toBe('/admin/users')
  expect(document.title).toBe('Users - Administration - Juno')
  expect(getRows('Users').map(({ textContent }) => textContent)).toEqual([
    'ada@roastery.exampleAda Lovelace · PasswordTwo-factoreditors',
    'bo@roastery.exampleGoogleDisabled',
  ])
  expect(screen.getByText('The first 2 users')).toBeTruthy()
  await click('Show more')
  expect(await screen.findByText('mika@roastery.example')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  expect(screen.getByText('3 users')).toBeTruthy()
})

it('searches by the beginning of the e-mail address, and returns from a user to the same search', async () => {
  const { api } = open('/admin/users')
  await screen.findByText('ada@roastery.example')
  fireEvent.change(screen.getByLabelText('Search by e-mail'), { target: { value: 'bo@' } })
  await waitFor(() => expect(screen.queryByText('ada@roastery.example')).toBeNull())
  expect(api.requestsTo('admin.users').at(-1)).toEqual({ query: { query: 'bo@' } })
  await waitFor(() => expect(getAddress()).toBe('/admin/users?query=bo%40'))
  await click(/^bo@/, 'link')
  await screen.findByRole('heading', { name: 'bo@roastery.example' })
  await click('All users', 'link')
  expect(getAddress()).toBe('/admin/users?query=bo%40')
  expect(screen.getByLabelText<HTMLInputElement>('Search by e-mail').value).toBe('bo@')

  fireEvent.change(screen.getByLabelText('Search by e-mail'), { target: { value: 'zoe' } })
  expect(await screen.findByText('No address begins with “zoe”.')).toBeTruthy()
  await click('Clear the search')
  expect(await screen.findByText('ada@roastery.example')).toBeTruthy()
})

it('a link to the users without a search resets the search', async () => {
  open('/admin/users?query=bo')
  await screen.findByText('bo@roastery.example')
  expect(screen.queryByText('ada@roastery.example')).toBeNull()
  await click('Users', 'link')
  expect(await screen.findByText('ada@roastery.example')).toBeTruthy()
  expect(getAddress()).toBe('/admin/users')
  expect(screen.getByLabelText<HTMLInputElement>('Search by e-mail').value).toBe('')
})

it('shows the usage and the effective limits of a user', async () => {
  const usage = {
    replies: 3,
    inputTokens: 1200,
    cachedInputTokens: 0,
    outputTokens: 80,
    images: 0,
    cost: 0.5,
  }
  open('/admin/users/ada', {
    users: [
      aUser('ada', {
        usage: { today: usage, month: { ...usage, replies: 41 } },
        limits: { tokens_per_day: 50_000, cost_per_month: 12.5, images_per_day: 0, tools: 'built_in' },
      }),
    ],
  })
  await screen.findByText('41')
  expect(screen.getAllByText('1,200')).toHaveLength(2)
  expect(getRows('Limits in force').map(({ textContent }) => textContent)).toEqual([
    '50,000 tokens a day',
    '$12.50 a month',
    'No images',
    'Built-in integrations only',
  ])
})

it('disables an account after a confirmation, shows an error in the dialog, and enables the account again', async () => {
  const { handlers, api } = open('/admin/users/ada')
  const disable = handlers['admin.disableUser']
  handlers['admin.disableUser'] = () => {
    throw new ApiError({ status: 503, code: 'busy', userMessage: 'The user pool is busy.' })
  }
  await screen.findByText('Active')
  await click('Disable')
  expect(getDialog().getByText('Disable ada@roastery.example?')).toBeTruthy()
  await confirm('Disable')
  expect((await getDialog().findByRole('alert')).textContent).toBe('The user pool is busy.')
  Object.assign(handlers, { 'admin.disableUser': disable })
  await confirm('Disable')
  expect(await screen.findByText('Disabled')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(api.requestsTo('admin.disableUser')).toHaveLength(2)
  await click('Enable')
  expect(await screen.findByText('Active')).toBeTruthy()
})

it('signs a user out and resets the second factor', async () => {
  const { api } = open('/admin/users/ada')
  await screen.findByText('Active')
  await click('Sign out')
  await confirm('Sign out')
  await click('Reset')
  await confirm('Reset')
  expect(await screen.findByText('This account has no second factor.')).toBeTruthy()
  expect([api.requestsTo('admin.signOutUser'), api.requestsTo('admin.resetTwoFactor')]).toEqual([
    [{ params: { userId: 'ada' } }],
    [{ params: { userId: 'ada' } }],
  ])
  expect(vi.mocked(showToast).mock.calls.map(([, title]) => title)).toEqual([
    'Signed out on all devices',
    'Two-factor is off',
  ])
})

it('changes the groups of a user', async () => {
  const { api } = open('/admin/users/ada')
  await screen.findByText('Active')
  await click('Change groups')
  await screen.findByRole('checkbox', { name: /^admins/ })
  expect(getDialog().getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  fireEvent.click(screen.getByRole('checkbox', { name: /^admins/ }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'editors' }))
  await confirm('Save')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.requestsTo('admin.setGroups')).toEqual([
    { params: { userId: 'ada' }, body: { add: ['admins'], remove: ['editors'] } },
  ])
})

it('asks for a new sign-in if adding an administrator requires one, and continues after it', async () => {
  const { handlers, api } = open('/admin/users/ada')
  const setGroups = handlers['admin.setGroups']
  handlers['admin.setGroups'] = () => {
    throw new ApiError({ status: 403, code: 'sign_in_again', userMessage: 'Please sign in again.' })
  }
  await screen.findByText('Active')
  await click('Change groups')
  fireEvent.click(await screen.findByRole('checkbox', { name: /^admins/ }))
  requestSignIn.mockResolvedValueOnce(false)
  await confirm('Save')
  expect((await getDialog().findByRole('alert')).textContent).toBe('Please sign in again.')
  requestSignIn.mockImplementationOnce(async () => {
    Object.assign(handlers, { 'admin.setGroups': setGroups })
    return true
  })
  await confirm('Save')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.requestsTo('admin.setGroups')).toHaveLength(3)
})

it('changes only the ticked groups, even if somebody else has changed others', async () => {
  const { api, installation } = open('/admin/users/ada')
  await screen.findByText('Active')
  await click('Change groups')
  fireEvent.click(await screen.findByRole('checkbox', { name: /^admins/ }))
  installation.users = [aUser('ada', { groups: [] })]
  await confirm('Save')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.requestsTo('admin.setGroups')).toEqual([
    { params: { userId: 'ada' }, body: { add: ['admins'], remove: [] } },
  ])
  expect(installation.users).toMatchObject([{ groups: ['admins'] }])
})

it('deletes an account after its address was entered, continues until all is deleted, and shows the receipt', async () => {
  const dataCounts = {
    conversations: 2,
    messages: 9,
    files: 1,
    integrations: 0,
    credentials: 0,
    custom_tools: 0,
    tool_calls: 0,
    memories: 0,
    projects: 0,
  }
  let calls = 0
  const { api, installation, handlers } = open('/admin/users/ada')
  handlers['admin.deleteUser'] = () => {
    calls += 1
    if (calls === 1) throw new NetworkError({ hasTimedOut: true })
    if (calls === 3) installation.users = installation.users.filter(({ id }) => id !== 'ada')
    return {
      success: true,
      done: calls === 3,
      receipt: {
        held: dataCounts,
        asked_at: '2026-11-22T09:00:00.000Z',
        backups_end_at: '2026-12-27T09:00:00.000Z',
      },
    }
  }
  const writeText = vi.fn<(text: string) => Promise<void>>(async () => undefined)
  await screen.findByText('Active')
  await click('Delete')
  const field = getDialog().getByLabelText('Type ada@roastery.example to confirm')
  expect(getDialog().getByRole<HTMLButtonElement>('button', { name: 'Delete for good' }).disabled).toBe(true)
  fireEvent.change(field, { target: { value: 'ada@roastery.example' } })
  await confirm('Delete for good')
  expect((await getDialog().findByRole('alert')).textContent).toContain('Try again to delete the rest.')
  await confirm('Delete for good')
  expect(await getDialog().findByText(/, 2 conversations, 9 messages, 1 file\.$/)).toBeTruthy()
  expect(api.requestsTo('admin.deleteUser').at(-1)).toEqual({
    params: { userId: 'ada' },
    body: { confirm: 'ada@roastery.example' },
  })
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  await confirm('Copy receipt')
  expect(writeText.mock.calls[0]?.[0]).toContain('Account: ada@roastery.example\nID: ada\n')
  await act(async () =>
    fireEvent.click(getDialog().getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement),
  )
  await waitFor(() => expect(getAddress()).toBe('/admin/users'))
  await waitFor(() => expect(screen.queryByText('ada@roastery.example')).toBeNull())
})

it('offers the receipt to an administrator who has left the page before the account was deleted', async () => {
  const deleted = Promise.withResolvers<void>()
  const { installation, handlers } = open('/admin/users/ada')
  const kinds = ['conversations', 'messages', 'files', 'integrations', 'credentials', 'custom_tools']
  const held = Object.fromEntries([...kinds, 'tool_calls', 'memories', 'projects'].map((kind) => [kind, 0]))
  handlers['admin.deleteUser'] = async () => {
    await deleted.promise
    installation.users = installation.users.filter(({ id }) => id !== 'ada')
    return { success: true, done: true, receipt: { held, asked_at: '2026-11-22T09:00:00.000Z' } as never }
  }
  await screen.findByText('Active')
  await click('Delete')
  fireEvent.change(getDialog().getByLabelText(/^Type ada@/), { target: { value: 'ada@roastery.example' } })
  await confirm('Delete for good')
  await act(async () => fireEvent.click(screen.getByRole('link', { name: 'All users', hidden: true })))
  expect(await screen.findByText('ada@roastery.example')).toBeTruthy()
  vi.mocked(showToast).mockReset()
  await act(async () => deleted.resolve())
  await waitFor(() => expect(screen.queryByText('ada@roastery.example')).toBeNull())
  const writeText = vi.fn<(text: string) => Promise<void>>(async () => undefined)
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  const [[kind, title, options] = []] = vi.mocked(showToast).mock.calls
  expect([kind, title, options?.description]).toEqual([
    'success',
    'The account is deleted',
    'ada@roastery.example',
  ])
  await act(async () => options?.action?.onClick())
  expect(writeText.mock.calls[0]?.[0]).toContain('Account: ada@roastery.example\nID: ada\n')
})

it('keeps the receipt of a deletion when the administrator comes back from another window', async () => {
  const { installation, handlers } = open('/admin/users/ada')
  handlers['admin.deleteUser'] = () => {
    installation.users = []
    return {
      success: true,
      done: true,
      receipt: { held: emptyDataCounts, asked_at: '2026-11-22T09:00:00.000Z' },
    }
  }
  await screen.findByText('Active')
  await click('Delete')
  fireEvent.change(getDialog().getByRole('textbox'), { target: { value: 'ada@roastery.example' } })
  await confirm('Delete for good')
  await screen.findByRole('dialog', { name: 'The account is deleted' })
  await act(async () => void window.dispatchEvent(new Event('visibilitychange')))
  await act(async () => undefined)
  expect(screen.getByRole('dialog', { name: 'The account is deleted' })).toBeTruthy()
})

it('an address that no section has is named once in the title', async () => {
  open('/admin/unknown')
  await screen.findByText('This page of the administration does not exist.')
  expect(document.title).toBe('Administration - Juno')
})

it('disables the actions on the administrator’s own account, and explains why', async () => {
  open('/admin/users/mika')
  await screen.findByText('This is you')
  for (const name of ['Disable', 'Sign out', 'Reset', 'Delete'])
    expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true)
  expect(screen.getByText('You cannot disable your own account.')).toBeTruthy()
  await click('Change groups')
  fireEvent.click(await screen.findByRole('checkbox', { name: /^admins/ }))
  expect(
    getDialog().getByText(
      'You cannot leave “admins” yourself. Another administrator can remove you from it.',
    ),
  ).toBeTruthy()
  expect(getDialog().getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
})

it('says that a user does not exist, and that a list could not be loaded', async () => {
  const { handlers } = open('/admin/users/gone')
  expect(await screen.findByText(/There is no such user/)).toBeTruthy()
  const users = handlers['admin.users']
  handlers['admin.users'] = () => {
    throw new NetworkError()
  }
  await click('All users', 'link')
  await screen.findByText(/The list could not be loaded/)
  Object.assign(handlers, { 'admin.users': users })
  await click('Try again')
  expect(await screen.findByText('ada@roastery.example')).toBeTruthy()
})

const rejectAsNotAdmin = () => {
  throw new ApiError({ status: 403, code: 'not_admin', userMessage: 'Only administrators may do this.' })
}

it.each([
  ['a query', async () => void open('/admin/groups', {}, { 'admin.groups': rejectAsNotAdmin })],
  [
    'an action',
    async () => {
      open('/admin/users/ada', {}, { 'admin.signOutUser': rejectAsNotAdmin })
      await screen.findByText('Active')
      await click('Sign out')
      await confirm('Sign out')
    },
  ],
  [
    'the account',
    async () => {
      open('/admin/log')
      await click('revoke the role')
    },
  ],
])('returns to the chat when the role was revoked, which is detected by %s', async (_, detect) => {
  await detect()
  expect(await screen.findByText('main screen')).toBeTruthy()
  expect(vi.mocked(showToast).mock.lastCall?.slice(0, 2)).toEqual([
    'info',
    'You are no longer an administrator',
  ])
})

it('DEC-191 shows the groups that the provider manages, which cannot be changed here', async () => {
  const ada = aUser('ada', { sign_in: 'Entra', groups: ['editors'], provider_groups: ['admins', 'staff'] })
  open('/admin/users/ada', { users: [ada] })
  expect(await screen.findByText('From Work account')).toBeTruthy()
  expect(screen.getByText('Set at Work account')).toBeTruthy()
  expect(screen.getByText(/^Work account names them at each sign-in/)).toBeTruthy()
  await click('Change groups')
  const boxes = await getDialog().findAllByRole<HTMLInputElement>('checkbox')
  const checkmarks = boxes.map(({ checked }) => checked)
  expect(checkmarks).toEqual([false, true])
})
