import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { Routes } from '../../lib/navigation/router.tsx'
import { beforeEach, expect, it, vi } from 'vitest'
import { PageProviders } from '../../../../test/support/render-page.tsx'
import type * as Toast from '../../components/ui/toast.ts'
import { announcementStore } from '../../lib/browser/announce.ts'
import type { AppConfig } from '../../lib/api/config.ts'
import { AuthContext } from './auth-context.ts'
import { AuthPage } from './auth-page.tsx'
import { HostedSignInError } from './hosted-sign-in.ts'
import type * as HostedSignIn from './hosted-sign-in.ts'
import type { HostedUiConfig } from './hosted-ui.ts'
import { SignInAgain } from './sign-in-again.tsx'
import { RecentSignInContext } from '../../lib/sign-in/recent-sign-in.ts'

const okta = { name: 'Okta', label: 'Okta', domains: ['corp.example'] }
const entra = { name: 'Entra', label: 'Work account', domains: ['other.example', 'third.example'] }
const keycloak = { name: 'Keycloak', label: 'Partners', domains: [] }

const site = vi.hoisted(() => ({ config: {} as Partial<AppConfig> }))
const amplifyAuth = vi.hoisted(() => ({
  signIn: vi.fn<(input: object) => Promise<object>>(),
  signUp: vi.fn<(input: object) => Promise<object>>(),
}))
const createHostedSignInUrl = vi.hoisted(() => vi.fn<typeof HostedSignIn.createHostedSignInUrl>())
const completeHostedSignIn = vi.hoisted(() => vi.fn<typeof HostedSignIn.completeHostedSignIn>())
const showToast = vi.hoisted(() => vi.fn<typeof Toast.showToast>())
vi.mock('../../components/ui/toast.ts', async (original) => ({
  ...(await original<typeof Toast>()),
  showToast,
}))
vi.mock('../../lib/sign-in/amplify-auth.ts', () => ({ configureAmplify: () => undefined, ...amplifyAuth }))
vi.mock('../../lib/api/config.ts', () => ({
  loadConfig: async () => site.config,
  useConfig: () => site.config,
  useBrand: () => ({ brandName: 'Juno', assistantName: 'Juno' }),
  getMinPasswordCharacters: () => 6,
  getIdentityProviders: () => site.config.identityProviders ?? [],
  getProviderLabel: (name: string) => (name === 'Entra' ? 'Work account' : name),
}))
vi.mock('./hosted-sign-in.ts', async (original) => ({
  ...(await original<typeof HostedSignIn>()),
  createHostedSignInUrl,
  completeHostedSignIn,
}))

beforeEach(() => {
  sessionStorage.clear()
  history.replaceState(null, '', '/')
  for (const operation of Object.values(amplifyAuth)) operation.mockReset()
  createHostedSignInUrl.mockReset().mockResolvedValue('#at-the-provider')
  completeHostedSignIn.mockReset()
  showToast.mockReset()
  site.config = {
    signUp: 'open',
    oauthDomain: 'https://sign-in.example',
    googleSignIn: false,
    identityProviders: [okta, entra],
  }
})

const refresh = vi.fn<() => Promise<void>>(async () => undefined)
async function open(address: string | { pathname: string; state: object } = '/auth') {
  const state = { status: 'signed-out', isByUser: false } as const
  render(
    <AuthContext value={{ state, refresh, expireSignIn: refresh, signOut: refresh }}>
      <MemoryRouter path={address}>
        <Routes pages={{ '/auth': <AuthPage /> }} />
      </MemoryRouter>
    </AuthContext>,
  )
  await act(async () => undefined)
}

const openWithError = (description: string, kind = 'invalid_request') =>
  open(`/auth?${new URLSearchParams({ error: kind, error_description: description })}`)
const findButton = (name: string) => screen.queryByRole('button', { name })
const getButtonTexts = () => screen.getAllByRole('button').map(({ textContent }) => textContent)
const getEmailField = () => screen.getByLabelText<HTMLInputElement>('E-mail')
const type = (value: string) => fireEvent.change(getEmailField(), { target: { value } })
const submit = () => fireEvent.submit(getEmailField())
const waitForProviderRedirect = () =>
  waitFor(() => {
    expect(location.hash).toBe('#at-the-provider')
    // the address may be that of an earlier redirect
    expect(createHostedSignInUrl).toHaveBeenCalled()
    return createHostedSignInUrl.mock.calls.map(([, provider, options]) => [provider.name, options])
  })

it('DEC-191 has a button for each provider, and for Google only if it is set up', async () => {
  await open()
  expect(getButtonTexts()).toEqual(
    expect.arrayContaining(['Continue with Okta', 'Continue with Work account']),
  )
  expect(findButton('Continue with Google')).toBeNull()
  fireEvent.click(findButton('Continue with Work account') as HTMLElement)
  expect(await waitForProviderRedirect()).toEqual([['Entra', { returnPath: '/' }]])
})

it('DEC-191 shows Google below the operator’s own providers', async () => {
  delete site.config.googleSignIn
  await open()
  expect(getButtonTexts().slice(0, 3)).toEqual([
    'Continue with Okta',
    'Continue with Work account',
    'Continue with Google',
  ])
})

it('DEC-191 offers only the provider for an address at its domain; Enter continues there', async () => {
  await open({ pathname: '/auth', state: { from: '/chat/c1?q=1' } })
  type('Ann@THIRD.example')
  expect(announcementStore.getState().text).toBe('Your organisation signs in with Work account.')
  expect(screen.queryByLabelText('Password')).toBeNull()
  expect(screen.getByText('Your organisation signs in with Work account.').id).toBe(
    getEmailField().getAttribute('aria-describedby'),
  )
  submit()
  expect(await waitForProviderRedirect()).toEqual([
    ['Entra', { returnPath: '/chat/c1?q=1', loginHint: 'Ann@THIRD.example' }],
  ])
  expect(amplifyAuth.signIn).not.toHaveBeenCalled()
})

it.each(['ann@corp.example.evil.example', 'ann@sub.corp.example', 'corp.example', 'ann@corp'])(
  'DEC-191 %s is not at the domain of a provider, so the form asks for a password',
  async (address) => {
    await open()
    type(address)
    expect(screen.getByLabelText('Password')).toBeDefined()
  },
)

it('DEC-191 allows to sign in with a password at such a domain, but not to create an account with one', async () => {
  await open()
  type('ann@corp.example')
  fireEvent.click(findButton('Use a password instead') as HTMLElement)
  expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret12' } })
  amplifyAuth.signIn.mockRejectedValue(Object.assign(new Error(''), { name: 'NotAuthorizedException' }))
  submit()
  expect(await screen.findByText('Invalid email or password. Please try again.')).toBeDefined()
  expect(amplifyAuth.signIn).toHaveBeenCalledWith({ username: 'ann@corp.example', password: 'secret12' })
  fireEvent.click(findButton('Create account') as HTMLElement)
  expect(screen.queryByLabelText('Password')).toBeNull()
  expect(findButton('Use a password instead')).toBeNull()
})

it('DEC-191 offers the provider again when the address changes to another domain after “Use a password instead”', async () => {
  await open()
  type('ann@corp.example')
  fireEvent.click(findButton('Use a password instead') as HTMLElement)
  type('ann@other.example')
  expect(screen.queryByLabelText('Password')).toBeNull()
})

it('DEC-191 without passwords the page has only the buttons of the providers', async () => {
  site.config = { ...site.config, passwordSignIn: false, identityProviders: [okta, keycloak] }
  await open()
  expect(getButtonTexts()).toEqual(['Continue with Okta', 'Continue with Partners'])
  expect(screen.queryByRole('textbox')).toBeNull()
})

it('DEC-191 without passwords, finds the provider by the domain of the address', async () => {
  site.config = { ...site.config, passwordSignIn: false }
  await open('/auth?invite=1&email=ann%40elsewhere.example')
  expect(getEmailField().value).toBe('ann@elsewhere.example')
  submit()
  expect(
    await screen.findByText('No sign-in is set up for this address. Check it, or choose one of the buttons.'),
  ).toBeDefined()
  type('ann@corp.example')
  submit()
  expect(await waitForProviderRedirect()).toEqual([
    ['Okta', { returnPath: '/', loginHint: 'ann@corp.example' }],
  ])
})

it.each([
  '/auth?type=recovery&email=a%40x.example&code=123456',
  '/auth?type=signup&email=a%40x.example&code=1',
])('DEC-191 a password link shows that passwords are switched off: %s', async (address) => {
  site.config = { ...site.config, passwordSignIn: false }
  await open(address)
  expect(screen.getByRole('alert').textContent).toMatch(/^Sign-in with a password is switched off here/)
  expect(screen.queryByLabelText('Password')).toBeNull()
})

it.each([
  [
    'PreSignUp failed with error No [code=use_provider provider=Entra].',
    'Your organisation signs in with Work account. Please choose “Continue with Work account”.',
  ],
  [
    'PreSignUp failed with error No [code=account_exists provider=Okta].',
    'An account with this email already exists. Please sign in with Okta instead.',
  ],
  [
    'PreSignUp failed with error No [code=account_exists provider=Google].',
    'An account with this email already exists. Please sign in instead.',
  ],
  [
    'PreSignUp failed with error No [code=account_exists provider=Evil].',
    'An account with this email already exists. Please sign in instead.',
  ],
  [
    'PreSignUp failed with error No [code=account_exists_password_off].',
    'An account with this email already exists, with a password, and passwords are switched off here. Ask the person who runs the site.',
  ],
  [
    'PreSignUp failed with error Please call Evil Corp [code=use_provider provider=Evil].',
    'This site does not accept this account. Ask the person who runs the site.',
  ],
  [
    'PreSignUp failed with error Evil [code=of_a_newer_release].',
    'This site does not accept this account. Ask the person who runs the site.',
  ],
  ['PreSignUp failed with error [code=sign_up_closed] was asked for.', /^Authentication configuration error/],
  ['User is disabled.', 'This account is disabled. Ask the person who runs the site.'],
  ['PreTokenGeneration failed with error down.', 'Something went wrong. Please try again.'],
])(
  'DEC-191 shows its own message for the error that the hosted pages report: %s',
  async (description, message) => {
    await openWithError(description)
    expect(screen.getByRole('alert').textContent).toMatch(message)
    expect(document.body.textContent).not.toMatch(/PreSignUp|Evil/)
  },
)

it('DEC-191 names the provider that rejected the sign-in', async () => {
  sessionStorage.setItem('juno.hosted-sign-in', JSON.stringify({ verifier: 'v', state: 's', label: 'Okta' }))
  await openWithError('User is not assigned to the client application.', 'access_denied')
  expect(screen.getByRole('alert').textContent).toMatch(/^Okta did not sign you in: you cancelled, or/)
  expect(sessionStorage.length).toBe(0)
})

it.each([
  ['PreSignUp failed with error No [code=sign_up_domains].', 'login'],
  ['PreSignUp failed with error No [code=account_exists provider=Okta].', 'login'],
  ['User is disabled.', 'login'],
  ['PreTokenGeneration failed with error down.', null],
])(
  'DEC-191 after %s, the next sign-in has the provider ask for credentials: %s',
  async (description, prompt) => {
    await openWithError(description)
    const actual = await vi.importActual<typeof HostedSignIn>('./hosted-sign-in.ts')
    const config = { oauthDomain: 'https://sign-in.example', userPoolClientId: 'c' } as HostedUiConfig
    const url = await actual.createHostedSignInUrl(config, okta, {})
    expect(new URL(url).searchParams.get('prompt')).toBe(prompt)
  },
)

it('DEC-191 names no provider if the site has several and the tab has not stored which one was chosen', async () => {
  delete site.config.googleSignIn
  await open('/auth?error=access_denied')
  expect(screen.getByRole('alert').textContent).toMatch(/^The identity provider did not sign you in/)
})

it('DEC-191 names the provider when a sign-up with a password is rejected because of the domain', async () => {
  amplifyAuth.signUp.mockRejectedValue(
    Object.assign(new Error('PreSignUp failed with error No [code=use_provider provider=Okta].'), {
      name: 'UserLambdaValidationException',
    }),
  )
  await open()
  fireEvent.click(findButton('Create account') as HTMLElement)
  fireEvent.change(screen.getByLabelText('Full name'), { target: { value: 'Ann' } })
  // the page does not recognise this as the domain, but a mail server might
  type('ann@corp.example.')
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret12' } })
  submit()
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Your organisation signs in with Okta/)
})

it('DEC-191 a user of a provider can cancel signing in again, or is redirected to the provider', async () => {
  const results: boolean[] = []
  const user = { sub: 'u', email: 'ann@corp.example', fullName: 'Ann', provider: 'Entra' }
  render(
    <>
      <SignInAgain user={user} />
      <RecentSignInContext.Consumer>
        {(requestSignIn) => (
          <button onClick={() => void requestSignIn().then((isSignedIn) => results.push(isSignedIn))}>
            Delete
          </button>
        )}
      </RecentSignInContext.Consumer>
    </>,
    { wrapper: PageProviders },
  )
  fireEvent.click(findButton('Delete') as HTMLElement)
  expect(await screen.findByRole('dialog', { name: 'Sign in again' })).toBeDefined()
  fireEvent.click(findButton('Cancel') as HTMLElement)
  await waitFor(() => expect(results).toEqual([false]))
  fireEvent.click(findButton('Delete') as HTMLElement)
  // the section of the page that asks is where the user returns to
  location.hash = '#security'
  fireEvent.click(await screen.findByRole('button', { name: 'Continue with Work account' }))
  const redirects = await waitForProviderRedirect()
  history.replaceState(null, '', '/')
  expect(redirects).toEqual([
    ['Entra', { requiredSub: 'u', returnPath: '/#security', loginHint: 'ann@corp.example' }],
  ])
})

it('DEC-191 returns to the page that asked for it after signing in again', async () => {
  completeHostedSignIn.mockResolvedValue({ returnPath: '/settings?tab=data', isNewAccount: false })
  const renderAuthPage = (isSignedIn: boolean) => {
    const user = { sub: 'u', email: 'ann@corp.example', fullName: 'Ann', provider: 'Okta' }
    const state = isSignedIn
      ? ({ status: 'signed-in', user } as const)
      : ({ status: 'signed-out', isByUser: false } as const)
    return (
      <AuthContext value={{ state, refresh, expireSignIn: refresh, signOut: refresh }}>
        <MemoryRouter path="/auth?code=c&state=s">
          <Routes pages={{ '/auth': <AuthPage />, '/settings': <p>Settings</p> }} />
        </MemoryRouter>
      </AuthContext>
    )
  }
  const { rerender } = render(renderAuthPage(false))
  expect(screen.getByText('Signing you in…')).toBeDefined()
  await waitFor(() => expect(refresh).toHaveBeenCalled())
  rerender(renderAuthPage(true))
  expect(await screen.findByText('Settings')).toBeDefined()
})

it('DEC-191 shows once why the last session ended, with the provider label from the configuration', async () => {
  const reason = 'No [code=use_provider provider=Entra]'
  sessionStorage.setItem('juno.account-refused', `PreTokenGeneration failed with error ${reason}.`)
  await open()
  expect(showToast).toHaveBeenCalledExactlyOnceWith('error', 'Signed out', {
    id: 'account-refused',
    cause: expect.objectContaining({ code: 'use_provider' }) as unknown,
    description: 'Your organisation signs in with Work account. Please choose “Continue with Work account”.',
  })
  expect(sessionStorage.getItem('juno.account-refused')).toBeNull()
})

const ann = { sub: 'u', email: 'ann@corp.example', fullName: 'Ann', provider: 'Okta' }
function openSignedIn(address: string) {
  const state = { status: 'signed-in', user: ann } as const
  render(
    <AuthContext value={{ state, refresh, expireSignIn: refresh, signOut: refresh }}>
      <MemoryRouter path={address}>
        <Routes pages={{ '/': <p>Main screen</p>, '/auth': <AuthPage />, '/settings': <p>Settings</p> }} />
      </MemoryRouter>
    </AuthContext>,
  )
}

it('DEC-191 redirects a signed-in user with an outdated link to the main screen', async () => {
  openSignedIn('/auth?message=email+confirmed')
  expect(await screen.findByText('Main screen')).toBeDefined()
})

it.each([
  ['error=access_denied', /^Okta did not sign you in/, 'access_denied'],
  [
    'error=invalid_request&error_description=User+is+disabled.',
    /^This account is disabled/,
    'invalid_request',
  ],
  ['code=c&state=s', /took too long/, 'invalid_grant'],
])(
  'DEC-191 returns to the page that asked to sign in again, and shows why that failed: %s',
  async (query, message, code) => {
    const pendingSignIn = { verifier: 'v', state: 's', label: 'Okta', returnPath: '/settings' }
    sessionStorage.setItem('juno.hosted-sign-in', JSON.stringify(pendingSignIn))
    completeHostedSignIn.mockImplementation(async () => {
      sessionStorage.clear()
      throw new HostedSignInError('This sign-in took too long.', 'invalid_grant')
    })
    openSignedIn(`/auth?${query}`)
    expect(await screen.findByText('Settings')).toBeDefined()
    const cause = expect.objectContaining({ code }) as unknown
    expect(showToast).toHaveBeenCalledWith('error', expect.stringMatching(message), { cause })
    expect(sessionStorage.getItem('juno.hosted-sign-in')).toBeNull()
  },
)

it('DEC-191 does not mention Google if it is not set up', async () => {
  site.config = { ...site.config, oauthDomain: '' }
  await open('/auth?error=access_denied')
  expect(screen.getByRole('alert').textContent).toMatch(/^The identity provider did not sign you in/)
  fireEvent.click(findButton('Continue with Okta') as HTMLElement)
  expect(await screen.findByText(/^Authentication configuration error/)).toBeDefined()
})

it('the page that completes a sign-in at a provider has a heading and a title', async () => {
  completeHostedSignIn.mockReturnValue(new Promise(() => undefined))
  await open('/auth?code=c&state=s')
  expect(screen.getByRole('heading', { level: 1, name: 'Signing you in…' })).toBeDefined()
  expect(document.title).toMatch(/^Sign in - /)
})

it.each([
  [true, 'Welcome!'],
  [false, 'Welcome back!'],
])('greets a user who signed in with a provider; new account: %s', async (isNewAccount, greeting) => {
  completeHostedSignIn.mockResolvedValue({ returnPath: undefined, isNewAccount })
  await open('/auth?code=c&state=s')
  await waitFor(() => expect(showToast).toHaveBeenCalledWith('success', greeting))
})

it('says where the data is stored, in the AWS account or on this computer, and who receives it', async () => {
  await open()
  const recipients = 'The configured model and the tools that you connect receive what is sent to them.'
  expect(
    screen.getByText(`Self-hosted: your data is stored in your organisation's AWS account. ${recipients}`),
  ).toBeDefined()
  cleanup()
  site.config = { ...site.config, mailbox: '/local/mail' }
  await open()
  expect(
    screen.getByText(`Self-hosted: your data is stored on the computer that runs this. ${recipients}`),
  ).toBeDefined()
  expect(screen.queryByText(/AWS/)).toBeNull()
})
