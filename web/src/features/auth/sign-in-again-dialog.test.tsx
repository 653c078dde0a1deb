import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { SignInAgainDialog } from './sign-in-again-dialog.tsx'

/** The server's answer to a password that is wrong. */
const answer = vi.hoisted(() => Promise.withResolvers<void>())
const amplifyAuth = vi.hoisted(() => ({
  signIn: async ({ password }: { password: string }) => {
    if (password === 'wrong') {
      await answer.promise
      throw Object.assign(new Error('Incorrect username or password.'), { name: 'NotAuthorizedException' })
    }
    return { nextStep: { signInStep: 'CONFIRM_SIGN_IN_WITH_TOTP_CODE' } }
  },
  confirmSignIn: vi.fn<() => Promise<never>>(async () => {
    throw Object.assign(new Error('Invalid session for the user.'), { name: 'NotAuthorizedException' })
  }),
}))
vi.mock('../../lib/sign-in/amplify-auth.ts', () => ({ configureAmplify: () => undefined, ...amplifyAuth }))
vi.mock('../../lib/api/auth-tokens.ts', () => ({ hasStoredTokens: async () => false }))
vi.mock('../../lib/api/config.ts', () => ({ loadConfig: async () => undefined }))

const noop = () => undefined
const getCodeField = () => screen.findByLabelText<HTMLInputElement>('Verification code')
const submit = () => fireEvent.submit(screen.getByRole('dialog').querySelector('form')!)

it('keeps the focus in the field of a password that is wrong', async () => {
  const user = { sub: 'u', email: 'ann@example.com', fullName: 'Ann' }
  render(<SignInAgainDialog user={user} onDone={noop} onCancel={noop} />)
  const field = screen.getByLabelText<HTMLInputElement>('Password')
  fireEvent.change(field, { target: { value: 'wrong' } })
  submit()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Continue' }).ariaBusy).toBe('true'))
  expect([field.disabled, field.readOnly]).toEqual([false, true])
  answer.resolve()
  expect(await screen.findByText('This password is wrong. Please try again.')).toBeDefined()
  expect([document.activeElement, field.readOnly]).toEqual([field, false])
})

it('asks for the password and for a new code when the code was entered too late', async () => {
  const user = { sub: 'u', email: 'ann@example.com', fullName: 'Ann' }
  render(<SignInAgainDialog user={user} onDone={noop} onCancel={noop} />)
  submit()
  expect(await screen.findByText('Please fill in all required fields')).toBeDefined()
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret12' } })
  submit()
  fireEvent.change(await getCodeField(), { target: { value: '123456' } })
  submit()
  expect(await screen.findByText('That took too long. Please sign in again.')).toBeDefined()
  expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  submit()
  expect((await getCodeField()).value).toBe('')
})

it('signs nobody in with a later code once the dialog is gone', async () => {
  const user = { sub: 'u', email: 'ann@example.com', fullName: 'Ann' }
  const { confirmSignIn } = amplifyAuth
  confirmSignIn
    .mockReset()
    .mockRejectedValue(Object.assign(new Error('used'), { name: 'ExpiredCodeException' }))
  fakeApi({ 'mfa.verify': () => ({ success: true, codes: ['111111', '222222'] }) })
  const onCancel = vi.fn<() => void>()
  const { unmount } = render(<SignInAgainDialog user={user} onDone={noop} onCancel={onCancel} />)
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret12' } })
  submit()
  fireEvent.click(await screen.findByRole('button', { name: 'Use a backup code' }))
  fireEvent.change(screen.getByLabelText('Backup code'), { target: { value: 'ABCDE12345' } })
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] })
  submit()
  // lets the faked time pass
  await vi.waitFor(() => screen.getByText(/Waiting for the next one/))
  expect(confirmSignIn).toHaveBeenCalledTimes(2)
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(onCancel).toHaveBeenCalledOnce()
  unmount()
  await vi.advanceTimersByTimeAsync(31_000)
  vi.useRealTimers()
  expect(confirmSignIn).toHaveBeenCalledTimes(2)
})
