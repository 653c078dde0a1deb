import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { SignInAgainDialog } from './sign-in-again-dialog.tsx'

const amplifyAuth = vi.hoisted(() => ({
  signIn: async () => ({ nextStep: { signInStep: 'CONFIRM_SIGN_IN_WITH_TOTP_CODE' } }),
  confirmSignIn: async () => {
    throw Object.assign(new Error('Invalid session for the user.'), { name: 'NotAuthorizedException' })
  },
}))
vi.mock('../../lib/amplify-auth.ts', () => amplifyAuth)
vi.mock('../../lib/auth-tokens.ts', () => ({
  configureAuth: async () => undefined,
  withHiddenTokens: (signIn: () => unknown) => signIn(),
}))

const noop = () => undefined
const getCodeField = () => screen.findByLabelText<HTMLInputElement>('Verification code')
const submit = () => fireEvent.submit(screen.getByRole('dialog').querySelector('form')!)

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
  submit()
  expect((await getCodeField()).value).toBe('')
})
