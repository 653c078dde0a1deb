import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newPage } from '../support/browser.ts'
import { cognitoRefusal, composer, toastNamed } from '../support/page-steps.ts'
import { signOut } from '../support/two-factor-steps.ts'
import { startStack } from '../support/local-stack.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()

const google = (page: Page) => page.getByRole('button', { name: 'Continue with Google' })
const allow = (page: Page) => page.getByRole('button', { name: 'Allow' })
const provider = (page: Page) => page.getByRole('button', { name: 'Continue with Example Corp' })
const uniqueEmail = () => `${crypto.randomUUID()}@gmail.example`
const aColleague = () => `${crypto.randomUUID()}@corp.example`
const exists = 'An account with this email already exists. Please sign in instead.'

/** From the sign-in page through Google's, as a given user. */
async function continueAs(page: Page, email: string): Promise<void> {
  await page.goto('/auth')
  await google(page).click()
  await allow(page).waitFor()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Name').fill('Gil Example')
  await allow(page).click()
}

it('AUTH-03 AUTH-19 DEC-116 signs in on the hosted page with code, PKCE and consent, stays signed in, and signs out of both', async () => {
  const page = await newPage({ baseURL: stack.origin })
  await page.goto('/auth')
  const authorizeRequest = page.waitForRequest(/\/oauth2\/authorize\?/)
  const tokenRequest = page.waitForRequest(/\/oauth2\/token$/)
  await google(page).click()
  const query = Object.fromEntries(new URL((await authorizeRequest).url()).searchParams)
  expect(query).toEqual({
    client_id: expect.any(String) as string,
    response_type: 'code',
    scope: 'openid email profile aws.cognito.signin.user.admin',
    redirect_uri: `${stack.origin}/auth`,
    identity_provider: 'Google',
    prompt: 'consent',
    state: expect.stringMatching(/^[\w-]{64}$/) as string,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
    code_challenge_method: 'S256',
  })
  await allow(page).waitFor()
  await page.getByLabel('E-mail').fill(uniqueEmail())
  await allow(page).click()
  const form = new URLSearchParams((await tokenRequest).postData() ?? '')
  expect([...form.keys()].toSorted()).toEqual([
    'client_id',
    'code',
    'code_verifier',
    'grant_type',
    'redirect_uri',
  ])
  await composer(page).waitFor()
  await toastNamed(page, 'Welcome!').waitFor()
  expect(page.url()).toBe(`${stack.origin}/`)

  await page.reload()
  await composer(page).waitFor()
  await page.goto('/settings')
  await page.getByText('Set up two-factor authentication in your Google account').waitFor()
  expect(await page.getByRole('button', { name: 'Enable 2FA' }).count()).toBe(0)

  const loggedOut = page.waitForRequest(/\/logout\?client_id=/)
  await signOut(page)
  await loggedOut
  await toastNamed(page, 'Signed out').waitFor()
  await google(page).click()
  await allow(page).waitFor()
})

it('AUTH-27 DEC-030 the buttons name Google and the operator’s provider; cancelling at Google returns with an explanation', async () => {
  const page = await newPage({ baseURL: stack.origin })
  await page.goto('/auth')
  await expect
    .poll(() => page.getByRole('button', { name: /Continue with/ }).allTextContents())
    .toEqual(['Continue with Example Corp', 'Continue with Google'])
  await google(page).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await toastNamed(page, 'Google authentication was cancelled. Please try again.').waitFor()
  await page.waitForURL(`${stack.origin}/auth`)
})

it('AUTH-28 without Google the button says so', { tags: 'trial' }, async () => {
  const page = await newPage({ baseURL: stack.origin })
  await page.route('**/config.json', async (route) => {
    const response = await route.fetch()
    const {
      oauthDomain: _,
      identityProviders: _providers,
      ...config
    } = (await response.json()) as Record<string, unknown>
    await route.fulfill({ response, json: config })
  })
  await page.goto('/auth')
  await google(page).click()
  await page.getByText('Google authentication is not configured. Please contact support.').waitFor()
})

it(
  'AUTH-24 DEC-118 an account with a password blocks signing up with Google',
  { tags: 'trial' },
  async () => {
    const { email } = await stack.newUser({ email: uniqueEmail() })
    const page = await newPage({ baseURL: stack.origin })
    await continueAs(page, email)
    await toastNamed(page, exists).waitFor()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  },
)

it('AUTH-24 DEC-118 a Google account blocks signing up with a password', { tags: 'trial' }, async () => {
  const email = uniqueEmail()
  const page = await newPage({ baseURL: stack.origin, expected: [cognitoRefusal] })
  await continueAs(page, email)
  await composer(page).waitFor()
  await signOut(page)
  // the page is there again, from Google's sign-out
  await toastNamed(page, 'Signed out').waitFor()
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByLabel('Full name').fill('Gil')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('her secret')
  await page.getByRole('button', { name: 'Create account', exact: true }).click()
  await page.getByText(exists).waitFor()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

it('AUTH-29 a response that this browser did not request signs nobody in', { tags: 'trial' }, async () => {
  const page = await newPage({ baseURL: stack.origin })
  await page.goto('/auth?code=stolen&state=unknown')
  await page.getByText('This sign-in took too long or was started elsewhere. Please try again.').waitFor()
  expect(page.url()).toBe(`${stack.origin}/auth`)
  await page.goto('/auth?error=server_error&error_description=Call%20me&state=x')
  await toastNamed(page, 'Authentication configuration error. Please contact support.').waitFor()
})

describe('DEC-191 the operator’s identity provider', () => {
  it('signs in with its button, asks each time, and stays signed in', { tags: 'trial' }, async () => {
    const email = aColleague()
    const page = await newPage({ baseURL: stack.origin })
    await page.goto('/auth')
    await provider(page).click()
    await page.getByRole('heading', { name: 'Sign in with Example Corp' }).waitFor()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Name').fill('Cleo Example')
    await allow(page).click()
    await composer(page).waitFor()
    await page.reload()
    await composer(page).waitFor()
    await page.goto('/settings')
    await page.getByText(/Example Corp account/).waitFor()
    expect(await page.getByRole('button', { name: 'Enable 2FA' }).count()).toBe(0)
    const loggedOut = page.waitForRequest(/\/logout\?client_id=/)
    await signOut(page)
    await loggedOut
    await provider(page).click()
    await page.getByLabel('E-mail').fill(email)
    await allow(page).click()
    await composer(page).waitFor()
  })

  it(
    'gets the addresses of its domain, which need not be typed again; cancelling returns to the page',
    { tags: 'trial' },
    async () => {
      const email = aColleague()
      const page = await newPage({ baseURL: stack.origin })
      await page.goto('/auth')
      await page.getByLabel('E-mail').fill(email)
      // shown beside the field, and announced to screen readers
      await page.getByText('Your organisation signs in with Example Corp.').first().waitFor()
      await page.keyboard.press('Enter')
      await allow(page).waitFor()
      await expect.poll(() => page.getByLabel('E-mail').inputValue()).toBe(email)
      await page.getByRole('button', { name: 'Cancel' }).click()
      await toastNamed(page, 'Example Corp did not sign you in').waitFor()
      await page.waitForURL(`${stack.origin}/auth`)
    },
  )

  it('is the only choice where nobody signs in with a password', { tags: 'trial' }, async () => {
    const closed = await startStack({ env: { IDENTITY_PROVIDERS: 'demo', PASSWORD_SIGN_IN: 'off' } })
    // registered before the page, so that it runs after the page, which still loads parts, is closed
    onTestFinished(() => closed.stop())
    await expect(closed.newUser({ email: uniqueEmail() })).rejects.toThrow('PreSignUp failed with error')
    const page = await newPage({ baseURL: closed.origin })
    await page.goto('/auth')
    await provider(page).waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Create account' }).count()).toBe(0)
    await provider(page).click()
    await page.getByLabel('E-mail').fill(aColleague())
    await allow(page).click()
    await composer(page).waitFor()
  })
})
