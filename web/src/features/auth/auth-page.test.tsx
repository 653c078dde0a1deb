import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { Routes, useLocation } from '../../lib/navigation/router.tsx'
import { beforeEach, expect, it, vi } from 'vitest'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { ApiError, NetworkError } from '../../lib/api/api-errors.ts'
import type * as Config from '../../lib/api/config.ts'
import { noteServerTime } from '../../lib/browser/server-clock.ts'
import { AuthContext, type AuthState } from './auth-context.ts'
import { AuthPage } from './auth-page.tsx'

/** The language of the page, for the mail. */
const inEnglish = { language: 'en' }
const amplifyAuth = vi.hoisted(() => ({
  signIn: vi.fn<(input: object) => Promise<object>>(),
  signUp: vi.fn<(input: object) => Promise<object>>(),
  confirmSignUp: vi.fn<(input: object) => Promise<object>>(),
  resendSignUpCode: vi.fn<(input: object) => Promise<object>>(),
  resetPassword: vi.fn<(input: object) => Promise<object>>(),
  confirmResetPassword: vi.fn<(input: object) => Promise<void>>(),
  confirmSignIn: vi.fn<(input: object) => Promise<object>>(),
}))
const session = vi.hoisted(() => ({
  loadConfig: vi.fn<() => Promise<object>>(),
  hasStoredTokens: async () => false,
  clearTokens: vi.fn<() => Promise<undefined>>(),
}))
const toasts = vi.hoisted(() => ({
  showToast: vi.fn<(kind: string, title: string, options?: object) => string>(),
  dismissToast: vi.fn<(id: string) => void>(),
}))
const verify = vi.fn<() => RouteResponse<'mfa.verify'>>()
let api: ReturnType<typeof fakeApi>
vi.mock('../../lib/sign-in/amplify-auth.ts', () => ({ configureAmplify: () => undefined, ...amplifyAuth }))
vi.mock('../../lib/api/auth-tokens.ts', () => session)
vi.mock('../../lib/sign-in/store-tokens.ts', () => session)
vi.mock('../../lib/api/config.ts', async (original) => ({
  ...(await original<typeof Config>()),
  loadConfig: session.loadConfig,
}))
vi.mock('../../components/ui/toast.ts', () => toasts)

const refresh = vi.fn<() => Promise<void>>()
const signedOutState: AuthState = { status: 'signed-out', isByUser: false }
const signedInState: AuthState = {
  status: 'signed-in',
  user: { sub: 'u1', email: 'mika@x.example', fullName: '' },
}
const step = (signInStep: string) => ({ isSignedIn: false, nextStep: { signInStep } })
const createError = (name: string, message = '') => Object.assign(new Error(message), { name })

function CurrentAddress() {
  const { pathname, search } = useLocation()
  return <output>{pathname + search}</output>
}
const getAddress = () => screen.getByText(/^\//, { selector: 'output' }).textContent

async function open(
  address: string | { pathname: string; state: unknown } = '/auth',
  state = signedOutState,
) {
  render(
    <AuthContext value={{ state, refresh, expireSignIn: refresh, signOut: refresh }}>
      <MemoryRouter path={address}>
        <CurrentAddress />
        <Routes pages={{ '/': <p>Main screen</p>, '/auth': <AuthPage /> }} />
      </MemoryRouter>
    </AuthContext>,
  )
  await act(async () => undefined)
}

const getField = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const type = (label: string, value: string) => fireEvent.change(getField(label), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

/** Fills in the form for a new account, and sends it. */
function submitSignUp(password: string): void {
  press('Create account')
  type('Full name', 'Mika')
  type('E-mail', 'mika@x.example')
  type('Password', password)
  press('Create account')
}
const expectToast = (kind: string, title: string) =>
  waitFor(() =>
    expect(toasts.showToast.mock.calls.map((call) => call.slice(0, 2))).toContainEqual([kind, title]),
  )

/** Expects that the field is invalid, is described by this message, and has the focus. */
async function expectFieldError(userMessage: string, label: string) {
  const message = await screen.findByText(userMessage)
  expect(getField(label).getAttribute('aria-invalid')).toBe('true')
  expect(getField(label).getAttribute('aria-describedby')).toBe(message.id)
  await waitFor(() => expect(document.activeElement).toBe(getField(label)))
}

beforeEach(() => {
  localStorage.clear()
  vi.clearAllMocks()
  for (const operation of Object.values(amplifyAuth)) operation.mockReset()
  session.loadConfig.mockResolvedValue({})
  session.clearTokens.mockResolvedValue(undefined)
  refresh.mockResolvedValue(undefined)
  verify.mockReset()
  api = fakeApi({ 'mfa.verify': () => verify() })
})

it('AUTH-05 AUTH-07 asks for the full name only when creating an account, and offers a password reset only when signing in', async () => {
  await open()
  expect(screen.getByRole('button', { name: 'Forgot your password?' })).toBeDefined()
  expect(screen.queryByLabelText('Full name')).toBeNull()
  press('Create account')
  expect(screen.getByLabelText('Full name')).toBeDefined()
  expect(screen.queryByText('Forgot your password?')).toBeNull()
})

it('AUTH-01 AUTH-02 AUTH-04 keeps the entered values when switching between sign-in and sign-up', async () => {
  await open()
  expect(screen.getByRole('heading', { name: 'Sign in' })).toBeDefined()
  expect(getField('Password').autocomplete).toBe('current-password')
  type('E-mail', 'mika@x.example')
  type('Password', 'secret12')
  press('Create account')
  expect(screen.getByRole('heading', { name: 'Create account' })).toBeDefined()
  expect(getField('Password').autocomplete).toBe('new-password')
  expect([getField('E-mail').value, getField('Password').value]).toEqual(['mika@x.example', 'secret12'])
})

it('asks for a password in place of a temporary one, and goes on with it (aws-amplify/amplify-js#2955)', async () => {
  amplifyAuth.signIn.mockResolvedValue(step('CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED'))
  amplifyAuth.confirmSignIn
    .mockRejectedValueOnce(
      createError(
        'InvalidPasswordException',
        'Password did not conform with policy: Password not long enough',
      ),
    )
    .mockResolvedValueOnce(step('CONFIRM_SIGN_IN_WITH_TOTP_CODE'))
  await open()
  type('E-mail', 'mika@x.example')
  type('Password', 'temporary')
  press('Sign in')
  expect(await screen.findByRole('heading', { name: 'Choose a new password' })).toBeDefined()
  expect(screen.getByText('mika@x.example')).toBeDefined()
  press('Set new password')
  await expectFieldError('Please fill in all required fields', 'New password')
  type('New password', ' mine-alone ')
  press('Set new password')
  await expectFieldError(
    'A password cannot begin or end with a space. Remove it and try again.',
    'New password',
  )
  type('New password', 'mine')
  press('Set new password')
  await expectFieldError('Password must be at least 6 characters long.', 'New password')
  type('New password', 'mine-alone-2026')
  press('Set new password')
  expect(await screen.findByRole('heading', { name: 'Enter your code' })).toBeDefined()
  expect(amplifyAuth.confirmSignIn.mock.lastCall).toEqual([{ challengeResponse: 'mine-alone-2026' }])
})

it('leads back to the sign-in when there is no time left to replace a temporary password', async () => {
  amplifyAuth.signIn.mockResolvedValue(step('CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED'))
  amplifyAuth.confirmSignIn.mockRejectedValue(
    createError('NotAuthorizedException', 'Invalid session for the user, session is expired.'),
  )
  await open()
  type('E-mail', 'mika@x.example')
  type('Password', 'temporary')
  press('Sign in')
  await screen.findByRole('heading', { name: 'Choose a new password' })
  type('New password', 'mine-alone-2026')
  press('Set new password')
  expect(await screen.findByText('That took too long. Please sign in again.')).toBeDefined()
  expect(screen.getByRole('heading', { name: 'Sign in' })).toBeDefined()
})

it('says that a temporary password has expired, which no other one would help with (aws-amplify/amplify-js#1182)', async () => {
  amplifyAuth.signIn.mockRejectedValue(
    createError(
      'NotAuthorizedException',
      'Temporary password has expired and must be reset by an administrator.',
    ),
  )
  await open()
  type('E-mail', 'mika@x.example')
  type('Password', 'temporary')
  press('Sign in')
  expect(
    await screen.findByText(
      'Your temporary password has expired. Ask the person who runs the site for a new one.',
    ),
  ).toBeDefined()
})

it('says why to sign in, in every form, as long as that leads back to a shared conversation', async () => {
  const reason = 'This conversation is shared with people who have an account here.'
  await open({ pathname: '/auth', state: { from: '/shared#secret' } })
  expect(screen.getByText(reason)).toBeDefined()
  press('Create account')
  expect(screen.getByText(reason)).toBeDefined()
  // not only for a while
  expect(toasts.showToast).not.toHaveBeenCalled()
})

it('says no reason to whom signing in leads elsewhere', async () => {
  await open({ pathname: '/auth', state: { from: '/settings' } })
  expect(screen.queryByText(/is shared with/)).toBeNull()
})

it('AUTH-06 shows and hides the password', async () => {
  await open()
  type('Password', 'secret12')
  press('Show password')
  expect(getField('Password').type).toBe('text')
  press('Hide password')
  expect(getField('Password').type).toBe('password')
  expect(getField('Password').value).toBe('secret12')
})

it('AUTH-08 requires e-mail and password before it sends a request', async () => {
  await open()
  press('Sign in')
  await expectFieldError('Please fill in all required fields', 'E-mail')
  expect(getField('Password').getAttribute('aria-invalid')).toBe('true')
  type('E-mail', 'mika@x.example')
  press('Sign in')
  await waitFor(() => expect(document.activeElement).toBe(getField('Password')))
  expect(screen.getAllByText('Please fill in all required fields')).toHaveLength(1)
  expect(amplifyAuth.signIn).not.toHaveBeenCalled()
})

it('AUTH-09 requires the full name to create an account', async () => {
  await open()
  press('Create account')
  type('E-mail', 'mika@x.example')
  type('Password', 'secret12')
  press('Create account')
  await expectFieldError('Please enter your full name', 'Full name')
  expect(amplifyAuth.signUp).not.toHaveBeenCalled()
})

it('AUTH-10 requires the e-mail address before it requests a password reset', async () => {
  await open()
  press('Forgot your password?')
  await expectFieldError('Please enter your e-mail address first', 'E-mail')
  expect(amplifyAuth.resetPassword).not.toHaveBeenCalled()
})

it('says that an address is malformed, and not that a mail was sent to it', async () => {
  await open()
  type('E-mail', 'mika @x.example')
  press('Forgot your password?')
  await expectFieldError('Please enter a valid e-mail address.', 'E-mail')
  expect(amplifyAuth.resetPassword).not.toHaveBeenCalled()
})

it('AUTH-23 shows an error for wrong credentials, and keeps them', async () => {
  amplifyAuth.signIn.mockRejectedValue(
    createError('NotAuthorizedException', 'Incorrect username or password.'),
  )
  await open()
  type('E-mail', ' mika@x.example ')
  type('Password', 'wrong')
  press('Sign in')
  expect((await screen.findByRole('alert')).textContent).toBe('Invalid email or password. Please try again.')
  expect(await screen.findByRole('button', { name: 'Copy details' })).toBeDefined()
  expect(amplifyAuth.signIn).toHaveBeenCalledExactlyOnceWith({
    username: 'mika@x.example',
    password: 'wrong',
  })
  expect(getField('Password').value).toBe('wrong')
})

it('AUTH-12 AUTH-30 greets the user after signing in, and loads the session', async () => {
  amplifyAuth.signIn.mockResolvedValue(step('DONE'))
  await open()
  type('E-mail', 'mika@x.example')
  type('Password', 'secret12')
  press('Sign in')
  await expectToast('success', 'Welcome back!')
  expect(refresh).toHaveBeenCalledOnce()
})

it('sends one request for a double click', async () => {
  amplifyAuth.signIn.mockReturnValue(new Promise(() => undefined))
  await open()
  type('E-mail', 'mika@x.example')
  type('Password', 'secret12')
  press('Sign in')
  press('Sign in')
  // Enter in a field submits although the button is busy
  fireEvent.submit(getField('E-mail').form as HTMLFormElement)
  await waitFor(() => expect(amplifyAuth.signIn).toHaveBeenCalled())
  await act(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  expect(amplifyAuth.signIn).toHaveBeenCalledOnce()
  expect(screen.getByRole('button', { name: 'Sign in' }).getAttribute('aria-busy')).toBe('true')
})

it('AUTH-17 AUTH-31 creates an account with e-mail and name, then waits for the confirmation', async () => {
  amplifyAuth.signUp.mockResolvedValue({ nextStep: { signUpStep: 'CONFIRM_SIGN_UP' } })
  await open()
  press('Create account')
  type('Full name', ' Mika Korhonen ')
  type('E-mail', 'mika@x.example')
  type('Password', 'secret12')
  press('Create account')
  expect(await screen.findByRole('heading', { name: 'Check your e-mail' })).toBeDefined()
  expect(screen.getByText('mika@x.example')).toBeDefined()
  expect(amplifyAuth.signUp).toHaveBeenCalledExactlyOnceWith({
    username: 'mika@x.example',
    password: 'secret12',
    options: {
      userAttributes: { email: 'mika@x.example', name: 'Mika Korhonen' },
      clientMetadata: inEnglish,
    },
  })
  await expectToast('success', 'Account created! Please check your email to confirm your account.')
  // the code as copied from an e-mail; the password is still known, so the page signs in
  amplifyAuth.confirmSignUp.mockResolvedValue({})
  amplifyAuth.signIn.mockResolvedValue(step('DONE'))
  type('Code from the e-mail', '123 456')
  await expectToast('success', 'Email Confirmed')
  expect(amplifyAuth.confirmSignUp).toHaveBeenCalledExactlyOnceWith({
    username: 'mika@x.example',
    confirmationCode: '123456',
  })
  await waitFor(() => expect(refresh).toHaveBeenCalledOnce())
})

it('AUTH-24 DEC-027 switches to sign-in and keeps the entered values if the account exists', async () => {
  amplifyAuth.signUp.mockRejectedValue(createError('UsernameExistsException'))
  await open()
  submitSignUp('secret12')
  expect(
    await screen.findByText('An account with this email already exists. Please sign in instead.'),
  ).toBeDefined()
  expect(screen.getByRole('heading', { name: 'Sign in' })).toBeDefined()
  expect([getField('E-mail').value, getField('Password').value]).toEqual(['mika@x.example', 'secret12'])
})

it('AUTH-25 DEC-032 shows the service’s error for a short password under the field', async () => {
  amplifyAuth.signUp.mockRejectedValue(createError('InvalidPasswordException', 'Password not long enough'))
  await open()
  submitSignUp('abc')
  await waitFor(() => expect(amplifyAuth.signUp).toHaveBeenCalledOnce())
  await expectFieldError('Password must be at least 6 characters long.', 'Password')
})

it('says before it sends a new password that it cannot begin or end with a space', async () => {
  await open()
  submitSignUp('correct horse battery ')
  await expectFieldError('A password cannot begin or end with a space. Remove it and try again.', 'Password')
  expect(amplifyAuth.signUp).not.toHaveBeenCalled()
})

it('refuses a common password before it is sent, at the sign-up and at the reset', async () => {
  const text = 'This password is on lists of common passwords. Please choose another one.'
  await open()
  submitSignUp('PassWord1')
  await expectFieldError(text, 'Password')
  expect(amplifyAuth.signUp).not.toHaveBeenCalled()
  cleanup()
  await open('/auth?type=recovery&email=mika%40x.example&code=123456')
  type('New password', 'PassWord1')
  press('Set new password')
  await expectFieldError(text, 'New password')
  expect(amplifyAuth.confirmResetPassword).not.toHaveBeenCalled()
})

it('AUTH-26 asks an unconfirmed user to follow the link in the e-mail, and offers to enter the code or resend the e-mail', async () => {
  amplifyAuth.signIn.mockResolvedValue(step('CONFIRM_SIGN_UP'))
  amplifyAuth.resendSignUpCode.mockResolvedValue({})
  await open()
  type('E-mail', 'mika@x.example')
  type('Password', 'secret12')
  press('Sign in')
  expect(
    await screen.findByText('Please check your email and click the confirmation link before signing in.'),
  ).toBeDefined()
  press('Enter the code, or send the e-mail again')
  press('Send it again')
  const resend = screen.getByRole('button', { name: 'Send it again' })
  expect([resend.ariaBusy, resend.matches(':disabled')]).toEqual(['true', false])
  press('Send it again')
  expect(await screen.findByText('A new e-mail is on its way.')).toBeDefined()
  expect(amplifyAuth.resendSignUpCode).toHaveBeenCalledExactlyOnceWith({
    username: 'mika@x.example',
    options: { clientMetadata: inEnglish },
  })
  expect(screen.queryByRole('button', { name: 'Send it again' })).toBeNull()
})

/** Stores what a sign-up in this browser stores. */
const storeSignUp = (email: string) =>
  localStorage.setItem('juno.sign-up', JSON.stringify({ email, at: Date.now() }))

it('AUTH-18 AUTH-33 the link in the e-mail confirms with one request, and is removed from the address', async () => {
  storeSignUp('mika@x.example')
  amplifyAuth.confirmSignUp.mockResolvedValue({})
  await open('/auth?type=signup&email=mika%40x.example&code=123456')
  await expectToast('success', 'Email Confirmed')
  expect(amplifyAuth.confirmSignUp).toHaveBeenCalledExactlyOnceWith({
    username: 'mika@x.example',
    confirmationCode: '123456',
  })
  expect(getAddress()).toBe('/auth')
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeDefined()
  expect(getField('E-mail').value).toBe('mika@x.example')
})

it.each([
  ['signs in', 'mika@x.example', 1],
  ['does nothing for another account', 'ann@x.example', 0],
])(
  'the tab with the password, when another tab has confirmed an account, %s',
  async (_, confirmed, signIns) => {
    amplifyAuth.signUp.mockResolvedValue({ nextStep: { signUpStep: 'CONFIRM_SIGN_UP' } })
    amplifyAuth.signIn.mockResolvedValue(step('DONE'))
    await open()
    submitSignUp('secret12')
    await screen.findByRole('heading', { name: 'Check your e-mail' })
    // the page listens in an effect, which may come after what it shows
    await act(async () => undefined)
    const oldValue = JSON.stringify({ email: confirmed, at: Date.now() })
    await act(async () =>
      window.dispatchEvent(new StorageEvent('storage', { key: 'juno.sign-up', oldValue, newValue: null })),
    )
    await waitFor(() => expect(amplifyAuth.signIn).toHaveBeenCalledTimes(signIns))
  },
)

it.each([
  ['no', undefined],
  ['another user’s', { email: 'ann@x.example', at: Date.now() }],
  ['an old', { email: 'mika@x.example', at: Date.now() - 86_400_001 }],
])(
  'a confirmation link that was opened with %s sign-up in this browser asks for a new password (DEC-123)',
  async (_, storedSignUp) => {
    if (storedSignUp) localStorage.setItem('juno.sign-up', JSON.stringify(storedSignUp))
    amplifyAuth.confirmSignUp.mockResolvedValue({})
    amplifyAuth.resetPassword.mockResolvedValue({})
    await open('/auth?type=signup&email=mika%40x.example&code=123456')
    await expectToast('success', 'Email Confirmed')
    expect(amplifyAuth.confirmSignUp).toHaveBeenCalledExactlyOnceWith({
      username: 'mika@x.example',
      confirmationCode: '123456',
      options: { clientMetadata: { replacePassword: 'true' } },
    })
    expect(await screen.findByRole('heading', { name: 'Choose a password' })).toBeDefined()
    expect(amplifyAuth.resetPassword).toHaveBeenCalledExactlyOnceWith({
      username: 'mika@x.example',
      options: { clientMetadata: inEnglish },
    })
    expect(getField('New password').value).toBe('')
  },
)

it('M1 confirming an address that was signed up before ignores the entered password and asks for a new one', async () => {
  amplifyAuth.signUp.mockRejectedValue(createError('UsernameExistsException'))
  amplifyAuth.resendSignUpCode.mockResolvedValue({})
  amplifyAuth.confirmSignUp.mockResolvedValue({})
  amplifyAuth.resetPassword.mockResolvedValue({})
  await open()
  submitSignUp('secret12')
  fireEvent.click(await screen.findByRole('button', { name: 'Never confirmed it? Send the e-mail again' }))
  expect(await screen.findByRole('heading', { name: 'Check your e-mail' })).toBeDefined()
  type('Code from the e-mail', '123456')
  expect(await screen.findByRole('heading', { name: 'Choose a password' })).toBeDefined()
  expect(amplifyAuth.confirmSignUp.mock.calls[0]?.[0]).toMatchObject({
    options: { clientMetadata: { replacePassword: 'true' } },
  })
  expect(amplifyAuth.signIn).not.toHaveBeenCalled()
})

it('the text of the confirmation step still says that an e-mail was sent after its code was rejected', async () => {
  amplifyAuth.signIn.mockResolvedValue(step('CONFIRM_SIGN_UP'))
  amplifyAuth.resendSignUpCode.mockResolvedValue({})
  amplifyAuth.confirmSignUp.mockRejectedValue(createError('CodeMismatchException'))
  await open()
  type('E-mail', 'mika@x.example')
  type('Password', 'secret12')
  press('Sign in')
  fireEvent.click(await screen.findByText('Enter the code, or send the e-mail again'))
  expect(screen.queryByText(/^We sent a confirmation/)).toBeNull()
  press('Send it again')
  await screen.findByText('A new e-mail is on its way.')
  type('Code from the e-mail', '123456')
  await screen.findByText('That code is wrong. Please check it and try again.')
  expect(screen.queryByText('A new e-mail is on its way.')).toBeNull()
  expect(screen.getByText(/^We sent a confirmation/)).toBeDefined()
})

it('sends one e-mail to an existing account when the offer is pressed twice', async () => {
  amplifyAuth.signUp.mockRejectedValue(createError('UsernameExistsException'))
  const sent = Promise.withResolvers<object>()
  amplifyAuth.resendSignUpCode.mockReturnValue(sent.promise)
  await open()
  submitSignUp('secret12')
  const offer = await screen.findByRole('button', { name: 'Never confirmed it? Send the e-mail again' })
  fireEvent.click(offer)
  fireEvent.click(offer)
  await waitFor(() => expect(amplifyAuth.resendSignUpCode).toHaveBeenCalled())
  await act(async () => sent.resolve({}))
  expect(await screen.findByRole('heading', { name: 'Check your e-mail' })).toBeDefined()
  expect(amplifyAuth.resendSignUpCode).toHaveBeenCalledOnce()
})

it.each(['Create account', 'Forgot your password?'])(
  'the address does not change while a request for it runs: %s',
  async (button) => {
    const pending = Promise.withResolvers<object>()
    amplifyAuth.signUp.mockReturnValue(pending.promise)
    amplifyAuth.resetPassword.mockReturnValue(pending.promise)
    await open()
    if (button === 'Create account') submitSignUp('secret12')
    else {
      type('E-mail', 'mika@x.example')
      press(button)
    }
    await waitFor(() => expect(getField('E-mail').readOnly).toBe(true))
    await act(async () => pending.resolve({ nextStep: { signUpStep: 'CONFIRM_SIGN_UP' } }))
    expect(await screen.findByRole('heading', { name: 'Check your e-mail' })).toBeDefined()
  },
)

it('says that an account is already confirmed when its e-mail is requested again', async () => {
  amplifyAuth.signUp.mockRejectedValue(createError('UsernameExistsException'))
  amplifyAuth.resendSignUpCode.mockRejectedValue(
    createError('InvalidParameterException', 'User is already confirmed.'),
  )
  await open()
  submitSignUp('secret12')
  fireEvent.click(await screen.findByRole('button', { name: 'Never confirmed it? Send the e-mail again' }))
  expect(await screen.findByText('This e-mail address is already confirmed. You can sign in.')).toBeDefined()
})

it('says that a confirmation link has expired, and offers another', async () => {
  amplifyAuth.confirmSignUp.mockRejectedValue(createError('ExpiredCodeException'))
  await open('/auth?type=signup&email=mika%40x.example&code=123456')
  expect(await screen.findByText(/This link was already used or has expired/)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Send it again' })).toBeDefined()
})

it('a confirmation link for a confirmed account opens the sign-in', async () => {
  amplifyAuth.confirmSignUp.mockRejectedValue(
    createError('NotAuthorizedException', 'Current status is CONFIRMED'),
  )
  await open('/auth?type=signup&email=mika%40x.example&code=123456')
  expect(await screen.findByText('This e-mail address is already confirmed. You can sign in.')).toBeDefined()
  expect(screen.getByRole('heading', { name: 'Sign in' })).toBeDefined()
})

it.each([undefined, 'UserNotFoundException', 'NotAuthorizedException', 'InvalidParameterException'])(
  'AUTH-32 DEC-028 responds to a password reset request in the same way, whatever the service returns: %s',
  async (errorName) => {
    if (errorName === undefined) amplifyAuth.resetPassword.mockResolvedValue({})
    else amplifyAuth.resetPassword.mockRejectedValue(createError(errorName))
    await open()
    type('E-mail', 'mika@x.example')
    press('Forgot your password?')
    await expectToast('success', 'Password reset email sent')
    expect(toasts.showToast.mock.calls[0]?.[2]).toEqual({
      description: 'Check your email for password reset instructions.',
    })
    expect(screen.getByLabelText('Code from the e-mail')).toBeDefined()
  },
)

it('an address that was never confirmed, which no reset is sent to, can be confirmed first: aws-amplify/amplify-js#7253', async () => {
  amplifyAuth.resetPassword.mockResolvedValue({})
  amplifyAuth.resendSignUpCode
    .mockRejectedValueOnce(createError('LimitExceededException'))
    .mockResolvedValueOnce({})
  amplifyAuth.confirmSignUp.mockResolvedValue({})
  await open()
  type('E-mail', 'mika@x.example')
  type('Password', 'not this one')
  press('Forgot your password?')
  fireEvent.click(await screen.findByRole('button', { name: 'Confirm it first' }))
  expect(await screen.findByText(/Too many|too many|limit/i)).toBeDefined()
  press('Confirm it first')
  // the pool answers alike for an address without an account
  expect(await screen.findByText(/^If the account for/)).toBeDefined()
  expect(screen.queryByText(/^We sent/)).toBeNull()
  expect(screen.queryByRole('button', { name: 'Use another e-mail address' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Back to sign in' })).toBeDefined()
  type('Code from the e-mail', '123456')
  expect(await screen.findByRole('heading', { name: 'Choose a password' })).toBeDefined()
  expect(amplifyAuth.resendSignUpCode.mock.calls.at(-1)?.[0]).toMatchObject({ username: 'mika@x.example' })
})

it('the page of a reset link, whose address is confirmed, does not offer that', async () => {
  await open('/auth?type=recovery&email=mika%40x.example&code=123456')
  expect(await screen.findByLabelText('New password')).toBeDefined()
  expect(screen.queryByText('Confirm it first')).toBeNull()
})

it('AUTH-34 DEC-022 DEC-026 the reset link asks for one new password, sets it, and opens the sign-in', async () => {
  amplifyAuth.confirmResetPassword.mockResolvedValue(undefined)
  await open('/auth?type=recovery&email=mika%40x.example&code=123456')
  await expectToast('success', 'Password Reset')
  expect(getAddress()).toBe('/auth')
  expect(screen.queryByLabelText('Code from the e-mail')).toBeNull()
  type('New password', 'secret34')
  expect(toasts.dismissToast).not.toHaveBeenCalled()
  press('Set new password')
  expect(await screen.findByText('Your password is changed. Sign in with the new one.')).toBeDefined()
  // this toast would still ask for a new password
  expect(toasts.showToast.mock.calls[0]?.[2]).toMatchObject({ id: 'recovery-link' })
  expect(toasts.dismissToast).toHaveBeenCalledWith('recovery-link')
  expect(amplifyAuth.confirmResetPassword).toHaveBeenCalledExactlyOnceWith({
    username: 'mika@x.example',
    confirmationCode: '123456',
    newPassword: 'secret34',
  })
  expect(getField('E-mail').value).toBe('mika@x.example')
  expect(getField('Password').value).toBe('')
  expect(amplifyAuth.signIn).not.toHaveBeenCalled()
})

it('a new password that begins or ends with a space is not sent, and the text says why', async () => {
  await open('/auth?type=recovery&email=mika%40x.example&code=123456')
  type('New password', ' correct horse battery')
  press('Set new password')
  await expectFieldError(
    'A password cannot begin or end with a space. Remove it and try again.',
    'New password',
  )
  expect(amplifyAuth.confirmResetPassword).not.toHaveBeenCalled()
  amplifyAuth.confirmResetPassword.mockResolvedValue(undefined)
  type('New password', 'correct horse battery')
  press('Set new password')
  await waitFor(() => expect(amplifyAuth.confirmResetPassword).toHaveBeenCalledOnce())
})

it('DEC-026 the reset link works for a signed-in user, and ends the old session', async () => {
  amplifyAuth.confirmResetPassword.mockResolvedValue(undefined)
  await open('/auth?type=recovery&email=mika%40x.example&code=123456', signedInState)
  type('New password', 'secret34')
  press('Set new password')
  // the user of this test stays signed in, so the page redirects to the main screen
  await screen.findByText('Main screen')
  expect(session.clearTokens).toHaveBeenCalledOnce()
  expect(amplifyAuth.signIn).not.toHaveBeenCalled()
})

it('an expired reset link keeps the new password and asks for a code', async () => {
  amplifyAuth.confirmResetPassword.mockRejectedValue(createError('ExpiredCodeException'))
  await open('/auth?type=recovery&email=mika%40x.example&code=123456')
  type('New password', 'secret34')
  press('Set new password')
  expect(await screen.findByText(/This link was already used or has expired/)).toBeDefined()
  expect(getField('Code from the e-mail').value).toBe('')
  expect(getField('New password').value).toBe('secret34')
})

it('a reset link that has lost the end of its code asks for the code, and offers another e-mail', async () => {
  amplifyAuth.confirmResetPassword.mockResolvedValue(undefined)
  await open('/auth?type=recovery&email=mika%40x.example&code=123')
  expect(screen.getByText(/This link is incomplete/)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Send it again' })).toBeDefined()
  expect(getField('Code from the e-mail').value).toBe('')
  type('Code from the e-mail', '123456')
  type('New password', 'secret34')
  press('Set new password')
  expect(await screen.findByText('Your password is changed. Sign in with the new one.')).toBeDefined()
  expect(amplifyAuth.confirmResetPassword).toHaveBeenCalledExactlyOnceWith({
    username: 'mika@x.example',
    confirmationCode: '123456',
    newPassword: 'secret34',
  })
})

it('NAV-14 sends a signed-in user to the main screen', async () => {
  await open('/auth', signedInState)
  expect(screen.getByText('Main screen')).toBeDefined()
  expect(getAddress()).toBe('/')
})

it('AUTH-29 DEC-029 does not show text from the address', async () => {
  await open('/auth?error=x&error_description=Call%20me')
  await expectToast('error', 'Authentication configuration error. Please contact support.')
  // the form still shows it when the toast has closed
  expect(screen.getByRole('alert').textContent).toBe(
    'Authentication configuration error. Please contact support.',
  )
  expect(getAddress()).toBe('/auth')
  expect(document.body.textContent).not.toContain('Call me')
})

it('AUTH-29 shows an error if the configuration cannot be loaded', async () => {
  session.loadConfig.mockRejectedValue(createError('ConfigError'))
  await open()
  type('E-mail', 'mika@x.example')
  type('Password', 'secret12')
  press('Sign in')
  expect(await screen.findByText('Authentication configuration error. Please contact support.')).toBeDefined()
})

it('AUTH-28 shows an error in place if Google sign-in is not set up', async () => {
  await open()
  press('Continue with Google')
  expect(
    await screen.findByText('Google authentication is not configured. Please contact support.'),
  ).toBeDefined()
})

it('MFA-03 AUTH-35 DEC-021 the second step asks for a code, and cancelling it shows the sign-in again, without the password', async () => {
  amplifyAuth.signIn.mockResolvedValue(step('CONFIRM_SIGN_IN_WITH_TOTP_CODE'))
  amplifyAuth.confirmSignIn.mockRejectedValueOnce(createError('CodeMismatchException'))
  await open()
  type('E-mail', 'mika@x.example')
  type('Password', 'secret12')
  press('Sign in')
  expect(await screen.findByRole('heading', { name: 'Enter your code' })).toBeDefined()
  type('Verification code', '111111')
  expect(await screen.findByText('Invalid verification code. Please try again.')).toBeDefined()
  expect(getField('Verification code').value).toBe('')
  expect(refresh).not.toHaveBeenCalled()
  press('Cancel')
  await expectToast('info', 'Sign in cancelled')
  expect(screen.getByRole('heading', { name: 'Sign in' })).toBeDefined()
  // no token has been issued yet
  expect(refresh).not.toHaveBeenCalled()
  expect([getField('E-mail').value, getField('Password').value]).toEqual(['mika@x.example', ''])
})

const getAttemptIds = () =>
  api.requestsTo('mfa.verify').map(({ body }) => body && 'attemptId' in body && body.attemptId)

const openBackupCodeStep = async () => {
  amplifyAuth.signIn.mockResolvedValue(step('CONFIRM_SIGN_IN_WITH_TOTP_CODE'))
  await open()
  type('E-mail', ' mika@x.example ')
  type('Password', 'secret12')
  press('Sign in')
  await screen.findByRole('heading', { name: 'Enter your code' })
  press('Use a backup code')
}

it('MFA-04 MFA-12 MFA-27 exchanges a backup code for authenticator codes, and tries the next one if the first was used', async () => {
  verify.mockReturnValueOnce({ success: true, codes: ['111111', '222222'] })
  amplifyAuth.confirmSignIn
    .mockRejectedValueOnce(createError('ExpiredCodeException'))
    .mockResolvedValueOnce(step('DONE'))
  await openBackupCodeStep()
  type('Backup code', '7qk2m9xwta')
  press('Verify')
  await expectToast('success', 'Welcome back!')
  expect(api.requestsTo('mfa.verify')).toEqual([
    {
      body: {
        email: 'mika@x.example',
        token: '7QK2M9XWTA',
        isBackupCode: true,
        attemptId: expect.stringMatching(/^[\da-f-]{36}$/) as string,
      },
    },
  ])
  expect(amplifyAuth.confirmSignIn.mock.calls).toEqual([
    [{ challengeResponse: '111111' }],
    [{ challengeResponse: '222222' }],
  ])
})

it('MFA-27 does not sign in after Cancel while it waits for the next code', async () => {
  verify.mockReturnValue({ success: true, codes: ['111111', '222222'] })
  amplifyAuth.confirmSignIn.mockRejectedValue(createError('ExpiredCodeException'))
  await openBackupCodeStep()
  type('Backup code', '7QK2M9XWTA')
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] })
  try {
    await act(async () => {
      press('Verify')
      await vi.advanceTimersByTimeAsync(200)
    })
    expect(screen.getByText(/Waiting for the next one/)).toBeDefined()
    press('Cancel')
    await act(async () => vi.advanceTimersByTimeAsync(31_000))
  } finally {
    vi.useRealTimers()
  }
  expect(amplifyAuth.confirmSignIn).toHaveBeenCalledTimes(2)
  expect(screen.getByRole('heading', { name: 'Sign in' })).toBeDefined()
})

it('MFA-27 waits for the next code if both were used, with the same attempt ID', async () => {
  verify
    .mockReturnValueOnce({ success: true, codes: ['111111', '222222'] })
    .mockReturnValueOnce({ success: true, codes: ['222222', '333333'] })
  amplifyAuth.confirmSignIn.mockImplementation(async (input) => {
    if (JSON.stringify(input).includes('333333')) return step('DONE')
    throw createError('ExpiredCodeException')
  })
  await openBackupCodeStep()
  type('Backup code', '7QK2M9XWTA')
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] })
  try {
    await act(async () => {
      press('Verify')
      await vi.advanceTimersByTimeAsync(200)
    })
    expect(screen.getByText(/Waiting for the next one/)).toBeDefined()
    await act(async () => vi.advanceTimersByTimeAsync(31_000))
  } finally {
    vi.useRealTimers()
  }
  await expectToast('success', 'Welcome back!')
  const attempts = getAttemptIds()
  expect(attempts).toHaveLength(2)
  expect(new Set(attempts).size).toBe(1)
})

it('MFA-27 waits by the clock of the service', async () => {
  verify.mockReturnValue({ success: true, codes: ['111111', '222222'] })
  amplifyAuth.confirmSignIn.mockRejectedValue(createError('ExpiredCodeException'))
  await openBackupCodeStep()
  type('Backup code', '7QK2M9XWTA')
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] })
  try {
    // five seconds before the next time step here, and 25 by the service's clock
    vi.setSystemTime(new Date('2026-11-30T10:00:24.800Z'))
    noteServerTime(new Headers({ date: 'Mon, 30 Nov 2026 10:00:04 GMT' }))
    await act(async () => {
      press('Verify')
      await vi.advanceTimersByTimeAsync(20_000)
    })
    expect(verify).toHaveBeenCalledOnce()
    await act(async () => vi.advanceTimersByTimeAsync(7_000))
    expect(verify).toHaveBeenCalledTimes(2)
  } finally {
    noteServerTime(new Headers({ date: new Date().toUTCString() }))
    vi.useRealTimers()
  }
})

it('MFA-37 DEC-020 shows the service’s error message, and keeps the attempt ID after a lost response', async () => {
  const failures = [
    new NetworkError(),
    new ApiError({
      status: 400,
      code: 'invalid_code',
      userMessage: 'Invalid verification code. Please try again.',
    }),
  ]
  const lockedError = new ApiError({
    status: 429,
    code: 'two_factor_locked',
    userMessage: 'Too many attempts. Please wait.',
  })
  verify.mockImplementation(() => {
    throw failures.shift() ?? lockedError
  })
  await openBackupCodeStep()
  type('Backup code', '7QK2M9XWTA')
  press('Verify')
  expect(await screen.findByText(/could not be reached/)).toBeDefined()
  press('Verify')
  await expectFieldError('Invalid verification code. Please try again.', 'Backup code')
  expect(getField('Backup code').value).toBe('')
  type('Backup code', '1111111111')
  press('Verify')
  expect(await screen.findByText('Too many attempts. Please wait.')).toBeDefined()
  const [firstId, secondId, thirdId] = getAttemptIds()
  expect(firstId).toBe(secondId)
  expect(thirdId).not.toBe(firstId)
  expect(amplifyAuth.confirmSignIn).not.toHaveBeenCalled()
})
