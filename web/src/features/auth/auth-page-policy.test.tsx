import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { Routes, useLocation } from '../../lib/navigation/router.tsx'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { PublicIdentityProvider } from '#shared/identity-providers.ts'
import type { SignUpMode } from '#shared/sign-up-policy.ts'
import { siteState } from '../../lib/sign-in/site-state.ts'
import { AuthContext } from './auth-context.ts'
import { AuthPage } from './auth-page.tsx'

const amplifyAuth = vi.hoisted(() => ({ signUp: vi.fn<(input: object) => Promise<object>>() }))
const site = vi.hoisted(() => ({
  signUp: 'open',
  identityProviders: [] as PublicIdentityProvider[],
  passwordSignIn: true,
}))
vi.mock('../../lib/sign-in/amplify-auth.ts', () => ({ configureAmplify: () => undefined, ...amplifyAuth }))
vi.mock('../../lib/api/config.ts', () => ({
  loadConfig: async () => ({}),
  useConfig: () => site,
  useBrand: () => ({ brandName: 'Juno', assistantName: 'Juno' }),
  getMinPasswordCharacters: () => 6,
  getIdentityProviders: () => site.identityProviders,
}))

function CurrentAddress() {
  const { pathname, search } = useLocation()
  return <output>{pathname + search}</output>
}

async function open(signUp: SignUpMode, address = '/auth') {
  site.signUp = signUp
  const noop = async () => undefined
  const auth = {
    state: { status: 'signed-out', isByUser: false } as const,
    refresh: noop,
    expireSignIn: noop,
    signOut: noop,
  }
  render(
    <AuthContext value={auth}>
      <MemoryRouter path={address}>
        <CurrentAddress />
        <Routes pages={{ '/auth': <AuthPage /> }} />
      </MemoryRouter>
    </AuthContext>,
  )
  await act(async () => undefined)
}

const getHeading = () => screen.getByRole('heading').textContent
const findButton = (name: string) => screen.queryByRole('button', { name })
const getField = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const type = (label: string, value: string) => fireEvent.change(getField(label), { target: { value } })
const invitation = '/auth?invite=1&email=ann%2Bx%40example.com'
const byInvitation = 'New here? This site is by invitation: ask the person who runs it for a link.'

beforeEach(() => void amplifyAuth.signUp.mockReset())

it('an open site lets everybody create an account', async () => {
  await open('open')
  fireEvent.click(findButton('Create account') as HTMLElement)
  expect(getHeading()).toBe('Create account')
  expect(screen.queryByText(/invit|domains/)).toBeNull()
})

it('a closed site offers sign-in with password and Google, but no new account, and says how to get one (H6)', async () => {
  await open('closed')
  expect(getHeading()).toBe('Sign in')
  expect(findButton('Create account')).toBeNull()
  expect(screen.getByText(byInvitation)).toBeDefined()
  expect(findButton('Continue with Google')).not.toBeNull()
  expect(findButton('Forgot your password?')).not.toBeNull()
})

it('who may sign up is what administrators have set, over what is deployed', async () => {
  await open('closed')
  onTestFinished(() => siteState.setState(undefined))
  await act(async () => siteState.setState({ notice: null, signUp: 'open', replies: 'on' }))
  expect(screen.queryByText(byInvitation)).toBeNull()
  expect(findButton('Create account')).not.toBeNull()
  await act(async () => siteState.setState({ notice: null, signUp: 'closed', replies: 'on' }))
  expect(findButton('Create account')).toBeNull()
})

it('an invitation opens the sign-up form of a closed site with the address filled in, and stays in the URL for a reload', async () => {
  await open('closed', invitation)
  expect(getHeading()).toBe('Create account')
  expect(screen.getByText('Use the address that was invited. One minute, then Juno answers.')).toBeDefined()
  expect(getField('E-mail').value).toBe('ann+x@example.com')
  await waitFor(() => expect(document.activeElement).toBe(getField('Full name')))
  expect(screen.getByText(/^\/auth/, { selector: 'output' }).textContent).toBe(invitation)
  fireEvent.click(findButton('Sign in') as HTMLElement)
  expect(screen.queryByText(byInvitation)).toBeNull()
  expect(findButton('Create account')).not.toBeNull()
})

it('a site that is limited to some domains says so on the sign-up form', async () => {
  await open('domains')
  fireEvent.click(findButton('Create account') as HTMLElement)
  expect(screen.getByText(/^Sign-up is limited to certain e-mail domains/)).toBeDefined()
})

it('does not tell an invited user about the limit to some domains', async () => {
  await open('domains', invitation)
  expect(screen.queryByText(/domains/)).toBeNull()
})

it.each<[SignUpMode, string, RegExp]>([
  ['closed', 'sign_up_closed', /^This site is by invitation, and there is none for this e-mail/],
  ['domains', 'sign_up_domains', /^Sign-up is limited to certain e-mail domains. Use your/],
])(
  'shows the error of a %s site on the form, which keeps the entered values',
  async (mode, code, message) => {
    amplifyAuth.signUp.mockRejectedValue(
      Object.assign(new Error(`PreSignUp failed with error No [code=${code}].`), {
        name: 'UserLambdaValidationException',
      }),
    )
    await open(mode, invitation)
    type('Full name', 'Ann')
    type('Password', 'secret12')
    fireEvent.click(screen.getByRole('button', { name: 'Create account' }))
    expect((await screen.findByRole('alert')).textContent).toMatch(message)
    expect([getHeading(), getField('Full name').value, getField('Password').value]).toEqual([
      'Create account',
      'Ann',
      'secret12',
    ])
  },
)

it('shows a lasting message, not the text of the service, when a sign-up with Google was rejected', async () => {
  const description = 'PreSignUp failed with error No [code=sign_up_closed].'
  await open(
    'closed',
    `/auth?${new URLSearchParams({ error: 'invalid_request', error_description: description })}`,
  )
  expect(screen.getByRole('alert').textContent).toMatch(/^This site is by invitation, and there is none/)
  expect(document.body.textContent).not.toContain('PreSignUp')
  expect(screen.getByText(/^\/auth/, { selector: 'output' }).textContent).toBe('/auth')
})
