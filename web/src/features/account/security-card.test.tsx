import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError, NetworkError } from '../../lib/api-errors.ts'
import { AccountActionsContext } from './account-actions.ts'
import { SecurityCard } from './security-card.tsx'

const calls = vi.hoisted(() => ({
  resetPassword: vi.fn<(input: { username: string }) => Promise<unknown>>(),
  callApi: vi.fn<(name: string, input: unknown) => Promise<unknown>>(),
}))
vi.mock('aws-amplify/auth', () => ({ resetPassword: calls.resetPassword }))
vi.mock('../../lib/call-api.ts', () => ({ callApi: calls.callApi }))
vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const endSession = vi.fn<() => Promise<void>>(async () => undefined)
const ann = { sub: 'u', email: 'ann@example.com', fullName: 'Ann' }

beforeEach(() => {
  vi.mocked(showToast).mockReset()
  endSession.mockClear()
  calls.resetPassword.mockReset().mockResolvedValue({})
  calls.callApi.mockReset().mockResolvedValue({ success: true })
})

const show = (user: Parameters<typeof SecurityCard>[0]['user']) =>
  render(
    <AccountActionsContext value={{ endSession }}>
      <SecurityCard user={user} twoFactor={<p>Two factors</p>} />
    </AccountActionsContext>,
  )

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
const toasted = () => vi.mocked(showToast).mock.calls.at(-1)

it('SET-14 SET-20 sends an e-mail to change the password', async () => {
  show(ann)
  expect(screen.getByText('Two factors')).toBeDefined()
  await press('Change Password')
  expect(calls.resetPassword).toHaveBeenCalledWith({ username: 'ann@example.com' })
  expect(toasted()).toEqual([
    'success',
    'Password reset email sent',
    { description: 'Check your email for password reset instructions.' },
  ])
})

it('SET-21 cannot send one to nobody', async () => {
  show({ ...ann, email: '' })
  await press('Change Password')
  expect(calls.resetPassword).not.toHaveBeenCalled()
  expect(toasted()).toEqual(['error', 'Error', { description: 'No email found' }])
})

it.each([
  [Object.assign(new Error('x'), { name: 'LimitExceededException' }), 'Too many e-mails were asked for.'],
  [new NetworkError(true), 'The service could not be reached. Please try again.'],
])('SET-26 tells why it was not sent', async (error, sentence) => {
  calls.resetPassword.mockRejectedValue(error)
  show(ann)
  await press('Change Password')
  expect(toasted()).toEqual(['error', 'Error', { description: expect.stringContaining(sentence) as string }])
})

it('DEC-115 tells who comes from Google that Google keeps the password', () => {
  show({ ...ann, federated: true })
  expect(screen.getByText('You sign in with Google, which keeps your password.')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Change Password' })).toBeNull()
})

it('signs out everywhere, here too, and says when it could not', async () => {
  show(ann)
  const refused = new ApiError({ status: 503, code: 'down', sentence: 'The sign-in service is down.' })
  calls.callApi.mockRejectedValueOnce(refused)
  await press('Sign out everywhere')
  expect(endSession).not.toHaveBeenCalled()
  expect(toasted()).toEqual(['error', 'Error', { description: 'The sign-in service is down.' }])
  await press('Sign out everywhere')
  expect(calls.callApi).toHaveBeenCalledWith('account.signOutEverywhere', {})
  expect(endSession).toHaveBeenCalledOnce()
})
