import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { beforeEach, expect, it, vi } from 'vitest'
import type * as Toast from '../../components/ui/toast.ts'
import { announcementStore } from '../../lib/announce.ts'
import type { AppConfig } from '../../lib/config.ts'
import { AuthContext } from './auth-context.ts'
import { AuthPage } from './auth-page.tsx'
import { HostedSignInError } from './hosted-sign-in.ts'
import type * as HostedSignIn from './hosted-sign-in.ts'
import { RecentSignInProvider } from './recent-sign-in-provider.tsx'
import { RecentSignInContext } from '../../lib/recent-sign-in.ts'

const okta = { name: 'Okta', label: 'Okta', domains: ['corp.example'] }
const entra = { name: 'Entra', label: 'Work account', domains: ['other.example', 'third.example'] }
const plain = { name: 'Keycloak', label: 'Partners', domains: [] }

const site = vi.hoisted(() => ({ config: {} as Partial<AppConfig> }))
const flows = vi.hoisted(() => ({
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
vi.mock('./amplify-auth.ts', () => flows)
vi.mock('../../lib/auth-tokens.ts', () => ({
  refusalKey: 'juno.account-refused',
  configureAuth: async () => site.config,
}))
vi.mock('../../lib/config.ts', () => ({
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
  location.hash = ''
  for (const flow of Object.values(flows)) flow.mockReset()
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
      <MemoryRouter initialEntries={[address]}>
        <Routes>
          <Route path="/auth" element={<AuthPage />} />
        </Routes>
      </MemoryRouter>
    </AuthContext>,
  )
  await act(async () => undefined)
}

const error = (description: string, kind = 'invalid_request') =>
  open(`/auth?${new URLSearchParams({ error: kind, error_description: description })}`)
const button = (name: string) => screen.queryByRole('button', { name })
const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent)
const email = () => screen.getByLabelText<HTMLInputElement>('E-mail')
const type = (value: string) => fireEvent.change(email(), { target: { value } })
const submit = () => fireEvent.submit(email())
const sent = () =>
  waitFor(() => {
    expect(location.hash).toBe('#at-the-provider')
    return createHostedSignInUrl.mock.calls.map(([, provider, options]) => [provider.name, options])
  })

it('DEC-191 has a button for each provider, and for Google only where it is set up', async () => {
  await open()
  expect(buttons()).toEqual(expect.arrayContaining(['Continue with Okta', 'Continue with Work account']))
  expect(button('Continue with Google')).toBeNull()
  fireEvent.click(button('Continue with Work account') as HTMLElement)
  expect(await sent()).toEqual([['Entra', { returnPath: '/' }]])
})

it('DEC-191 shows Google below the operator’s own providers', async () => {
  delete site.config.googleSignIn
  await open()
  expect(buttons().slice(0, 3)).toEqual([
    'Continue with Okta',
    'Continue with Work account',
    'Continue with Google',
  ])
})

it('DEC-191 an address at a provider’s domain turns the form into one action, which Enter takes', async () => {
  await open({ pathname: '/auth', state: { from: '/chat/c1?q=1' } })
  type('Ann@THIRD.example')
  expect(announcementStore.getState().text).toBe('Your organisation signs in with Work account.')
  expect(screen.queryByLabelText('Password')).toBeNull()
  expect(screen.getByText('Your organisation signs in with Work account.').id).toBe(
    email().getAttribute('aria-describedby'),
  )
  submit()
  expect(await sent()).toEqual([['Entra', { returnPath: '/chat/c1?q=1', loginHint: 'Ann@THIRD.example' }]])
  expect(flows.signIn).not.toHaveBeenCalled()
})

it.each(['ann@corp.example.evil.example', 'ann@sub.corp.example', 'corp.example', 'ann@corp'])(
  'DEC-191 %s is not at the domain, so the form asks for a password',
  async (address) => {
    await open()
    type(address)
    expect(screen.getByLabelText('Password')).toBeDefined()
  },
)

it('DEC-191 who has a password at such a domain may use it, but nobody gets a new one', async () => {
  await open()
  type('ann@corp.example')
  fireEvent.click(button('Use a password instead') as HTMLElement)
  expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret12' } })
  flows.signIn.mockRejectedValue(Object.assign(new Error(''), { name: 'NotAuthorizedException' }))
  submit()
  expect(await screen.findByText('Invalid email or password. Please try again.')).toBeDefined()
  expect(flows.signIn).toHaveBeenCalledWith({ username: 'ann@corp.example', password: 'secret12' })
  fireEvent.click(button('Create account') as HTMLElement)
  expect(screen.queryByLabelText('Password')).toBeNull()
  expect(button('Use a password instead')).toBeNull()
})

it('DEC-191 another provider’s address leads there, also after a password was preferred', async () => {
  await open()
  type('ann@corp.example')
  fireEvent.click(button('Use a password instead') as HTMLElement)
  type('ann@other.example')
  expect(screen.queryByLabelText('Password')).toBeNull()
})

it('DEC-191 without passwords there is neither a form for one nor a reset nor a new account', async () => {
  site.config = { ...site.config, passwordSignIn: false, identityProviders: [okta, plain] }
  await open()
  expect(buttons()).toEqual(['Continue with Okta', 'Continue with Partners'])
  expect(screen.queryByRole('textbox')).toBeNull()
})

it('DEC-191 without passwords and with several providers’ domains the address leads to the right one', async () => {
  site.config = { ...site.config, passwordSignIn: false }
  await open('/auth?invite=1&email=ann%40elsewhere.example')
  expect(email().value).toBe('ann@elsewhere.example')
  submit()
  expect(
    await screen.findByText('No sign-in is set up for this address. Check it, or choose one of the buttons.'),
  ).toBeDefined()
  type('ann@corp.example')
  submit()
  expect(await sent()).toEqual([['Okta', { returnPath: '/', loginHint: 'ann@corp.example' }]])
})

it.each([
  '/auth?type=recovery&email=a%40x.example&code=123456',
  '/auth?type=signup&email=a%40x.example&code=1',
])('DEC-191 a link for a password says that passwords are switched off: %s', async (address) => {
  site.config = { ...site.config, passwordSignIn: false }
  await open(address)
  expect(screen.getByRole('alert').textContent).toMatch(/^Sign-in with a password is switched off here/)
  expect(screen.queryByLabelText('Password')).toBeNull()
})

it.each([
  [
    'PreSignUp failed with error Please sign in with Work account instead.',
    'Your organisation signs in with Work account. Please choose “Continue with Work account”.',
  ],
  [
    'PreSignUp failed with error An account with this email already exists. Please sign in with Okta instead.',
    'An account with this email already exists. Please sign in with Okta instead.',
  ],
  [
    'PreSignUp failed with error An account with this email already exists. Please sign in with Evil Corp instead.',
    'An account with this email already exists. Please sign in instead.',
  ],
  [
    'PreSignUp failed with error An account with this email already exists. Please ask the administrator.',
    'An account with this email already exists, with a password, and passwords are switched off here. Ask the person who runs the site.',
  ],
  [
    'PreSignUp failed with error Please sign in with Evil Corp instead.',
    /^Authentication configuration error/,
  ],
  ['User is disabled.', 'This account is disabled. Ask the person who runs the site.'],
  ['PreTokenGeneration failed with error down.', 'Something went wrong. Please try again.'],
])('DEC-191 tells in a plain sentence what the hosted pages report: %s', async (description, sentence) => {
  await error(description)
  expect(screen.getByRole('alert').textContent).toMatch(sentence)
  expect(document.body.textContent).not.toMatch(/PreSignUp|Evil/)
})

it('DEC-191 names the provider that let nobody in', async () => {
  sessionStorage.setItem('juno.hosted-sign-in', JSON.stringify({ verifier: 'v', state: 's', label: 'Okta' }))
  await error('User is not assigned to the client application.', 'access_denied')
  expect(screen.getByRole('alert').textContent).toMatch(/^Okta did not sign you in: you cancelled, or/)
  expect(sessionStorage.length).toBe(0)
})

it('DEC-191 a password sign-up for a provider’s domain is told where to go', async () => {
  flows.signUp.mockRejectedValue(
    Object.assign(new Error('PreSignUp failed with error Please sign in with Okta instead.'), {
      name: 'UserLambdaValidationException',
    }),
  )
  await open()
  fireEvent.click(button('Create account') as HTMLElement)
  fireEvent.change(screen.getByLabelText('Full name'), { target: { value: 'Ann' } })
  // what the page does not take for the domain, but a mail program might
  type('ann@corp.example.')
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret12' } })
  submit()
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Your organisation signs in with Okta/)
})

it('DEC-191 a user of a provider signs in again there and comes back to the page, or stays', async () => {
  const answers: boolean[] = []
  const user = { sub: 'u', email: 'ann@corp.example', fullName: 'Ann', provider: 'Entra' }
  render(
    <RecentSignInProvider user={user}>
      <RecentSignInContext.Consumer>
        {(ask) => (
          <button onClick={() => void ask().then((signedIn) => answers.push(signedIn))}>Delete</button>
        )}
      </RecentSignInContext.Consumer>
    </RecentSignInProvider>,
  )
  fireEvent.click(button('Delete') as HTMLElement)
  expect(await screen.findByRole('dialog', { name: 'Sign in again' })).toBeDefined()
  fireEvent.click(button('Cancel') as HTMLElement)
  await waitFor(() => expect(answers).toEqual([false]))
  fireEvent.click(button('Delete') as HTMLElement)
  fireEvent.click(await screen.findByRole('button', { name: 'Continue with Work account' }))
  expect(await sent()).toEqual([['Entra', { sameUser: 'u', returnPath: '/', loginHint: 'ann@corp.example' }]])
})

it('DEC-191 after signing in again the user is on the page that asked for it', async () => {
  completeHostedSignIn.mockResolvedValue({ returnPath: '/settings?tab=data', isNewAccount: false })
  const page = (signedIn: boolean) => {
    const user = { sub: 'u', email: 'ann@corp.example', fullName: 'Ann', provider: 'Okta' }
    const state = signedIn
      ? ({ status: 'signed-in', user } as const)
      : ({ status: 'signed-out', isByUser: false } as const)
    return (
      <AuthContext value={{ state, refresh, expireSignIn: refresh, signOut: refresh }}>
        <MemoryRouter initialEntries={['/auth?code=c&state=s']}>
          <Routes>
            <Route path="/auth" element={<AuthPage />} />
            <Route path="/settings" element={<p>Settings</p>} />
          </Routes>
        </MemoryRouter>
      </AuthContext>
    )
  }
  const { rerender } = render(page(false))
  expect(screen.getByText('Signing you in…')).toBeDefined()
  await waitFor(() => expect(refresh).toHaveBeenCalled())
  rerender(page(true))
  expect(await screen.findByText('Settings')).toBeDefined()
})

it('DEC-191 says why the last session has ended, once, with the label of the configuration', async () => {
  const reason = 'This account cannot sign in here. Please sign in with Work account instead'
  sessionStorage.setItem('juno.account-refused', `PreTokenGeneration failed with error ${reason}.`)
  await open()
  expect(showToast).toHaveBeenCalledExactlyOnceWith('error', 'Signed out', {
    id: 'account-refused',
    description: 'Your organisation signs in with Work account. Please choose “Continue with Work account”.',
  })
  expect(sessionStorage.getItem('juno.account-refused')).toBeNull()
})

const ann = { sub: 'u', email: 'ann@corp.example', fullName: 'Ann', provider: 'Okta' }
function openSignedIn(address: string) {
  const state = { status: 'signed-in', user: ann } as const
  render(
    <AuthContext value={{ state, refresh, expireSignIn: refresh, signOut: refresh }}>
      <MemoryRouter initialEntries={[address]}>
        <Routes>
          <Route path="/" element={<p>Main screen</p>} />
          <Route path="/auth" element={<AuthPage />} />
          <Route path="/settings" element={<p>Settings</p>} />
        </Routes>
      </MemoryRouter>
    </AuthContext>,
  )
}

it('DEC-191 a signed-in user who follows an outdated link lands in the app', async () => {
  openSignedIn('/auth?message=email+confirmed')
  expect(await screen.findByText('Main screen')).toBeDefined()
})

it.each([
  ['error=access_denied', /^Okta did not sign you in/],
  ['error=invalid_request&error_description=User+is+disabled.', /^This account is disabled/],
  ['code=c&state=s', /took too long/],
])(
  'DEC-191 who was to sign in again comes back to the page that asked for it, and reads why it failed: %s',
  async (query, sentence) => {
    const pending = { verifier: 'v', state: 's', label: 'Okta', returnPath: '/settings' }
    sessionStorage.setItem('juno.hosted-sign-in', JSON.stringify(pending))
    completeHostedSignIn.mockImplementation(async () => {
      sessionStorage.clear()
      throw new HostedSignInError('This sign-in took too long.')
    })
    openSignedIn(`/auth?${query}`)
    expect(await screen.findByText('Settings')).toBeDefined()
    expect(showToast).toHaveBeenCalledWith('error', expect.stringMatching(sentence))
    expect(sessionStorage.length).toBe(0)
  },
)

it('DEC-191 names no Google where it is not set up', async () => {
  site.config = { ...site.config, oauthDomain: '' }
  await open('/auth?error=access_denied')
  expect(screen.getByRole('alert').textContent).toMatch(/^The identity provider did not sign you in/)
  fireEvent.click(button('Continue with Okta') as HTMLElement)
  expect(await screen.findByText(/^Authentication configuration error/)).toBeDefined()
})

it.each([
  [true, 'Welcome!'],
  [false, 'Welcome back!'],
])('greets who comes from a provider, the first time without “back”: %s', async (isNewAccount, greeting) => {
  completeHostedSignIn.mockResolvedValue({ returnPath: undefined, isNewAccount })
  await open('/auth?code=c&state=s')
  await waitFor(() => expect(showToast).toHaveBeenCalledWith('success', greeting))
})

it('says where the data stays: in the AWS account, or on this computer', async () => {
  await open()
  expect(screen.getByText("Self-hosted: your data stays in your organisation's AWS account.")).toBeDefined()
  cleanup()
  site.config = { ...site.config, mailbox: '/local/mail' }
  await open()
  expect(screen.getByText('Self-hosted: your data stays on the computer that runs this.')).toBeDefined()
  expect(screen.queryByText(/AWS/)).toBeNull()
})
