import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { beforeEach, expect, it, vi } from 'vitest'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError, NetworkError } from '../../lib/api/api-errors.ts'
import { emptyDataCounts, type EraseResponse } from '#shared/contracts/account.ts'
import { PageProviders } from '../../../../test/support/render-page.tsx'
import { fakeApi, removeSession } from '../../../../test/support/fake-api.ts'
import { readInput, writeInput } from '../../lib/input/inputs.ts'
import { closeUserResources } from '../../lib/actions/user-resources.ts'
import { AccountActionsContext, type AccountActions } from './account-actions.ts'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { SecurityCard } from './security-card.tsx'

const amplifyAuth = vi.hoisted(() => ({
  resetPassword: vi.fn<(input: { username: string }) => Promise<unknown>>(),
}))
vi.mock(import('../../lib/sign-in/load-amplify-auth.ts'), async (importActual) => ({
  ...(await importActual()),
  loadAmplifyAuth: async () => amplifyAuth as never,
}))
vi.mock('./two-factor/two-factor-row.tsx', () => ({ TwoFactorRow: () => <p>Two factors</p> }))
vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const expireSignIn = vi.fn<() => Promise<void>>(async () => undefined)
const signOut = vi.fn<AccountActions['signOut']>(async () => undefined)
const ann = { sub: 'u', email: 'ann@example.com', fullName: 'Ann' }

beforeEach(() => {
  vi.mocked(showToast).mockReset()
  expireSignIn.mockClear()
  signOut.mockClear()
  amplifyAuth.resetPassword.mockReset().mockResolvedValue({})
})

const open = (user: Parameters<typeof SecurityCard>[0]['user']) =>
  render(
    <AccountActionsContext value={{ expireSignIn, signOut }}>
      <SecurityCard user={user} />
    </AccountActionsContext>,
    { wrapper: PageProviders },
  )

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
const getLastToast = () => vi.mocked(showToast).mock.calls.at(-1)

it('SET-14 SET-20 sends an e-mail to change the password', async () => {
  open(ann)
  expect(screen.getByText('Two factors')).toBeDefined()
  await press('Change Password')
  expect(amplifyAuth.resetPassword).toHaveBeenCalledWith({
    username: 'ann@example.com',
    // the language of the mail is that of the page
    options: { clientMetadata: { language: 'en' } },
  })
  expect(getLastToast()).toEqual([
    'success',
    'Password reset email sent',
    { description: 'Check your email for password reset instructions.' },
  ])
})

it('SET-21 shows an error if the user has no e-mail address', async () => {
  open({ ...ann, email: '' })
  await press('Change Password')
  expect(amplifyAuth.resetPassword).not.toHaveBeenCalled()
  expect(getLastToast()).toEqual(['warning', 'Error', { description: 'No email found' }])
})

it.each([
  [Object.assign(new Error('x'), { name: 'LimitExceededException' }), 'Too many e-mails were requested.'],
  [Object.assign(new Error('x'), { name: 'TooManyRequestsException' }), 'Too many e-mails were requested.'],
  [
    Object.assign(new Error('x'), { name: 'CodeDeliveryFailureException' }),
    'The e-mail could not be sent. Please try again later.',
  ],
  [new NetworkError({ hasTimedOut: true }), 'The service could not be reached. Please try again.'],
])('SET-26 shows why the e-mail was not sent', async (error, message) => {
  amplifyAuth.resetPassword.mockRejectedValue(error)
  open(ann)
  await press('Change Password')
  expect(getLastToast()).toEqual([
    'error',
    'Error',
    { description: expect.stringContaining(message) as string, cause: error },
  ])
})

it('DEC-115 tells a Google user to change the password at Google', () => {
  open({ ...ann, provider: 'Google' })
  expect(screen.getByText('You sign in with Google. Change your password there.')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Change Password' })).toBeNull()
})

it('signs out everywhere, including this browser, and says when that failed', async () => {
  open(ann)
  const error = new ApiError({ status: 503, code: 'down', userMessage: 'The sign-in service is down.' })
  fakeApi({
    'account.signOutEverywhere': () => {
      throw error
    },
  })
  await press('Sign out everywhere')
  const dialog = screen.getByRole('dialog', { name: 'Sign out everywhere?' })
  expect(dialog.textContent).toContain('added in the last 24 hours are removed')
  await press('Sign out everywhere')
  expect((await screen.findByRole('alert')).textContent).toBe('The sign-in service is down.')
  expect(signOut).not.toHaveBeenCalled()
  const api = fakeApi({ 'account.signOutEverywhere': () => ({ success: true }) })
  await press('Sign out everywhere')
  await waitFor(() => expect(signOut).toHaveBeenCalled())
  expect(api.requestsTo('account.signOutEverywhere')).toEqual([{}])
  expect(signOut).toHaveBeenCalledExactlyOnceWith({
    kind: 'success',
    title: 'Signed out',
    description: 'You have been signed out on all devices.',
  })
  // that would keep the drafts, and return the next user to this page
  expect(expireSignIn).not.toHaveBeenCalled()
})

it('signs out here when signing out everywhere is rejected because the session has ended', async () => {
  open(ann)
  fakeApi({
    'account.signOutEverywhere': () => {
      // the session has ended meanwhile
      removeSession()
      throw new ApiError({ status: 401, code: 'unauthorized', userMessage: 'x' })
    },
  })
  await press('Sign out everywhere')
  await press('Sign out everywhere')
  await waitFor(() => expect(signOut).toHaveBeenCalledOnce())
})

it('signs out after the account was deleted', async () => {
  render(
    <AccountActionsContext value={{ expireSignIn, signOut }}>
      <DeleteAccountDialog
        open
        onOpenChange={() => undefined}
        email="ann@example.com"
        isAdmin={false}
        storedData={undefined}
      />
    </AccountActionsContext>,
    { wrapper: PageProviders },
  )
  expect(screen.queryByText(/^You are an administrator/)).toBeNull()
  fakeApi({
    'account.erase': () => ({
      success: true,
      done: true,
      receipt: {
        held: emptyDataCounts,
        asked_at: '2026-11-20T12:00:00Z',
        backups_end_at: '2026-12-25T00:00:00Z',
      },
    }),
  })
  fireEvent.change(screen.getByLabelText('Type DELETE to confirm'), { target: { value: 'DELETE' } })
  await press('Delete for good')
  await screen.findAllByRole('button', { name: 'Close' })
  expect(signOut).not.toHaveBeenCalled()
  await act(async () =>
    fireEvent.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement),
  )
  expect(signOut).toHaveBeenCalledExactlyOnceWith(null)
  expect(expireSignIn).not.toHaveBeenCalled()
})

it('signs out with a message, if the user has left the page before the account was deleted', async () => {
  const erased = Promise.withResolvers<EraseResponse>()
  const page = (
    <AccountActionsContext value={{ expireSignIn, signOut }}>
      <DeleteAccountDialog
        open
        onOpenChange={() => undefined}
        email="ann@example.com"
        isAdmin={false}
        storedData={undefined}
      />
    </AccountActionsContext>
  )
  const { rerender } = render(page, { wrapper: PageProviders })
  fakeApi({ 'account.erase': () => erased.promise })
  fireEvent.change(screen.getByLabelText('Type DELETE to confirm'), { target: { value: 'DELETE' } })
  await press('Delete for good')
  rerender(<></>)
  await act(async () =>
    erased.resolve({
      success: true,
      done: true,
      receipt: { held: emptyDataCounts, asked_at: '2026-11-20T12:00:00Z' },
    }),
  )
  await waitFor(() => expect(signOut).toHaveBeenCalledOnce())
  expect(signOut.mock.lastCall?.[0]).toMatchObject({ kind: 'success', title: 'Your account is deleted' })
})

it('deletes nothing of somebody who has signed in after the user has signed out', async () => {
  const receipt = { held: emptyDataCounts, asked_at: '2026-11-20T12:00:00Z' }
  const first = Promise.withResolvers<EraseResponse>()
  const responses = [first.promise]
  const client = new QueryClient()
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <DeleteAccountDialog
          open
          onOpenChange={() => undefined}
          email="ann@example.com"
          isAdmin={false}
          storedData={undefined}
        />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  const api = fakeApi({
    'account.erase': () => responses.shift() ?? { success: true, done: true, receipt },
  })
  fireEvent.change(screen.getByLabelText('Type DELETE to confirm'), { target: { value: 'DELETE' } })
  await press('Delete for good')
  await waitFor(() => expect(api.requestsTo('account.erase')).toHaveLength(1))
  closeUserResources(client)
  writeInput('memory/new', { value: 'of Ben', base: '' })
  await act(async () => first.resolve({ success: true, done: false, receipt }))
  await act(async () => undefined)
  expect(api.requestsTo('account.erase')).toHaveLength(1)
  expect(readInput('memory/new')).toBeTruthy()
  writeInput('memory/new', undefined)
})

it('DEC-192 warns an administrator about a site without administrators', () => {
  render(
    <AccountActionsContext value={{ expireSignIn, signOut }}>
      <DeleteAccountDialog
        open
        onOpenChange={() => undefined}
        email="ann@example.com"
        isAdmin
        storedData={undefined}
      />
    </AccountActionsContext>,
    { wrapper: PageProviders },
  )
  expect(screen.getByText(/^You are an administrator\. If you are the only one/)).toBeTruthy()
})
