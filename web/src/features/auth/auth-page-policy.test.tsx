import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router'
import { beforeEach, expect, it, vi } from 'vitest'
import type { PageIdentityProvider } from '#shared/identity-providers.ts'
import type { SignUpMode } from '#shared/sign-up-policy.ts'
import { AuthContext } from './auth-context.ts'
import { AuthPage } from './auth-page.tsx'

const flows = vi.hoisted(() => ({ signUp: vi.fn<(input: object) => Promise<object>>() }))
const site = vi.hoisted(() => ({
  signUp: 'open',
  identityProviders: [] as PageIdentityProvider[],
  passwordSignIn: true,
}))
vi.mock('./amplify-auth.ts', () => flows)
vi.mock('../../lib/auth-tokens.ts', () => ({
  refusalKey: 'juno.account-refused',
  configureAuth: async () => ({}),
}))
vi.mock('../../lib/config.ts', () => ({
  useConfig: () => site,
  useBrand: () => ({ brandName: 'Juno', assistantName: 'Juno' }),
  getMinPasswordCharacters: () => 6,
  getIdentityProviders: () => site.identityProviders,
}))

function Address() {
  const { pathname, search } = useLocation()
  return <output>{pathname + search}</output>
}

async function open(signUp: SignUpMode, address = '/auth') {
  site.signUp = signUp
  const nothing = async () => undefined
  const auth = {
    state: { status: 'signed-out', isByUser: false } as const,
    refresh: nothing,
    expireSignIn: nothing,
    signOut: nothing,
  }
  render(
    <AuthContext value={auth}>
      <MemoryRouter initialEntries={[address]}>
        <Address />
        <Routes>
          <Route path="/auth" element={<AuthPage />} />
        </Routes>
      </MemoryRouter>
    </AuthContext>,
  )
  await act(async () => undefined)
}

const heading = () => screen.getByRole('heading').textContent
const link = (name: string) => screen.queryByRole('button', { name })
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
const invitation = '/auth?invite=1&email=ann%2Bx%40example.com'
const byInvitation = 'New here? This site is by invitation: ask the person who runs it for a link.'

beforeEach(() => void flows.signUp.mockReset())

it('an open site offers an account to everybody', async () => {
  await open('open')
  fireEvent.click(link('Create account') as HTMLElement)
  expect(heading()).toBe('Create account')
  expect(screen.queryByText(/invit|domains/)).toBeNull()
})

it('a closed site offers no account, says how to get one, and lets people sign in either way (H6)', async () => {
  await open('closed')
  expect(heading()).toBe('Sign in')
  expect(link('Create account')).toBeNull()
  expect(screen.getByText(byInvitation)).toBeDefined()
  expect(link('Continue with Google')).not.toBeNull()
  expect(link('Forgot your password?')).not.toBeNull()
})

it('an invitation opens the form of a closed site with the address filled in, also after a reload', async () => {
  await open('closed', invitation)
  expect(heading()).toBe('Create account')
  expect(screen.getByText('Use the address that was invited. One minute, then Juno answers.')).toBeDefined()
  expect(field('E-mail').value).toBe('ann+x@example.com')
  await waitFor(() => expect(document.activeElement).toBe(field('Full name')))
  expect(screen.getByText(/^\/auth/, { selector: 'output' }).textContent).toBe(invitation)
  fireEvent.click(link('Sign in') as HTMLElement)
  expect(screen.queryByText(byInvitation)).toBeNull()
  expect(link('Create account')).not.toBeNull()
})

it('a site for some domains says so beside the address, but not to who is invited', async () => {
  await open('domains')
  fireEvent.click(link('Create account') as HTMLElement)
  expect(screen.getByText(/^Sign-up is limited to certain e-mail domains/)).toBeDefined()
})

it('an invited user does not see the domains', async () => {
  await open('domains', invitation)
  expect(screen.queryByText(/domains/)).toBeNull()
})

it.each<[SignUpMode, string, RegExp]>([
  ['closed', 'Sign-up is by invitation', /^This site is by invitation, and there is none for this e-mail/],
  [
    'domains',
    'Sign-up is limited to certain e-mail domains',
    /^Sign-up is limited to certain e-mail domains. Use your/,
  ],
])('a %s site’s refusal stands on the form, which keeps what was typed', async (mode, words, sentence) => {
  flows.signUp.mockRejectedValue(
    Object.assign(new Error(`PreSignUp failed with error ${words}.`), {
      name: 'UserLambdaValidationException',
    }),
  )
  await open(mode, invitation)
  type('Full name', 'Ann')
  type('Password', 'secret12')
  fireEvent.click(screen.getByRole('button', { name: 'Create account' }))
  expect((await screen.findByRole('alert')).textContent).toMatch(sentence)
  expect([heading(), field('Full name').value, field('Password').value]).toEqual([
    'Create account',
    'Ann',
    'secret12',
  ])
})

it('a refused sign-up with Google comes back with a sentence that stays, and not with the service’s words', async () => {
  const description = 'PreSignUp failed with error Sign-up is by invitation.'
  await open(
    'closed',
    `/auth?${new URLSearchParams({ error: 'invalid_request', error_description: description })}`,
  )
  expect(screen.getByRole('alert').textContent).toMatch(/^This site is by invitation, and there is none/)
  expect(document.body.textContent).not.toContain('PreSignUp')
  expect(screen.getByText(/^\/auth/, { selector: 'output' }).textContent).toBe('/auth')
})
