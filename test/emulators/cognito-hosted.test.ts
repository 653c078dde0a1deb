import {
  ChangePasswordCommand,
  ForgotPasswordCommand,
  GetUserCommand,
  InitiateAuthCommand,
  ListUsersCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import type { PreSignUpTriggerEvent } from 'aws-lambda'
import { createHash, randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchangeHostedCode, signInHosted } from '../support/hosted-sign-in.ts'
import { anEmail, startTestPool, type TestPool } from '../support/cognito-pool.ts'

const site = 'http://127.0.0.1:4000'
const returnUrl = `${site}/auth`

let pool: TestPool
let refusal: string | undefined
let preSignUpEvent: PreSignUpTriggerEvent | undefined
beforeAll(async () => {
  pool = await startTestPool({
    siteOrigins: [site],
    triggers: {
      async preSignUp(event) {
        preSignUpEvent = event
        if (event.triggerSource === 'PreSignUp_ExternalProvider' && refusal) throw new Error(refusal)
        return event
      },
    },
  })
})
afterAll(() => pool.remove())

const pkce = () => {
  const verifier = randomBytes(48).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}
const get = (address: string | URL, headers: Record<string, string> = {}) =>
  fetch(new URL(address, pool.url), { redirect: 'manual', headers })
const location = (response: Response) => new URL(response.headers.get('location') ?? '', pool.url)

function authorize(changes: Record<string, string | undefined> = {}, headers: Record<string, string> = {}) {
  const query = {
    client_id: pool.clientId,
    response_type: 'code',
    scope: 'openid email profile aws.cognito.signin.user.admin',
    redirect_uri: returnUrl,
    identity_provider: 'Google',
    state: 'my state',
    code_challenge: pkce().challenge,
    code_challenge_method: 'S256',
    ...changes,
  }
  const params = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return get(`/oauth2/authorize?${new URLSearchParams(params)}`, headers)
}

/** Signs in through Google's page as a given user. @returns the final address, and the cookie of the hosted session */
async function decide(consent: URL, form: Record<string, string>) {
  const decision = await fetch(consent, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  })
  const response = await get(location(decision))
  return { to: location(response), cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

async function signIn(email: string) {
  const { verifier, challenge } = pkce()
  const consent = location(await authorize({ code_challenge: challenge }))
  const { to, cookie } = await decide(consent, { decision: 'allow', email, name: 'Gil' })
  return { verifier, to, cookie, code: to.searchParams.get('code') ?? '' }
}

const exchange = (form: Record<string, string>) =>
  fetch(`${pool.url}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: pool.clientId,
      redirect_uri: returnUrl,
      ...form,
    }),
  })

const hostedPages = () => ({ oauthOrigin: pool.url, clientId: pool.clientId, returnUrl, provider: 'Google' })
const signInFully = async (email: string, name = 'Gil') =>
  exchangeHostedCode(hostedPages(), await signInHosted(hostedPages(), { email, name }))

describe('INFRA-03 hosted sign-in', () => {
  it('goes through a page with Allow and Cancel back to the site with state and a code', async () => {
    const consent = location(await authorize())
    const page = await (await get(consent)).text()
    expect(page).toMatch(/<button[^>]*>Cancel<\/button><button[^>]*>Allow<\/button>/)
    const { to } = await decide(consent, { decision: 'allow', email: anEmail(), name: 'Gil' })
    expect(to.origin + to.pathname).toBe(returnUrl)
    expect([...to.searchParams.keys()]).toEqual(['code', 'state'])
    expect(to.searchParams.get('state')).toBe('my state')
  })

  it('reports that it was cancelled', async () => {
    const { to } = await decide(location(await authorize()), { decision: 'cancel' })
    expect(Object.fromEntries(to.searchParams)).toMatchObject({ error: 'access_denied', state: 'my state' })
  })

  it.each([
    [{ client_id: 'other' }],
    [{ redirect_uri: 'http://127.0.0.1:4000/auth/' }],
    [{ redirect_uri: 'http://evil.example/auth' }],
  ])('does not redirect for a wrong client or address: %j', async (changes) => {
    const response = await authorize(changes)
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
  })

  it.each([
    [{ response_type: 'token' }, 'unauthorized_client'],
    [{ scope: 'openid phone' }, 'invalid_scope'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: undefined }, 'invalid_request'],
  ])('returns other mistakes to the site as an error: %j', async (changes, error) => {
    expect(location(await authorize(changes)).searchParams.get('error')).toBe(error)
  })

  it('a code works once, for its verifier, client and address', async () => {
    const wrongFields: Record<string, string>[] = [
      { code_verifier: 'another' },
      { redirect_uri: site },
      { client_id: 'other' },
      { grant_type: 'password' },
    ]
    for (const change of wrongFields) {
      const { code, verifier } = await signIn(anEmail())
      expect((await exchange({ code, code_verifier: verifier, ...change })).status).toBe(400)
    }
    const { code, verifier } = await signIn(anEmail())
    expect((await exchange({ code, code_verifier: verifier })).status).toBe(200)
    const secondResponse = await exchange({ code, code_verifier: verifier })
    expect([secondResponse.status, await secondResponse.json()]).toEqual([400, { error: 'invalid_grant' }])
  })

  it('DEC-118 a refusal of PreSignUp is returned with its text, and no user is created', async () => {
    refusal = 'An account with this email already exists'
    try {
      const { to } = await signIn('taken@gmail.example')
      expect(Object.fromEntries(to.searchParams)).toEqual({
        error: 'invalid_request',
        error_description: `PreSignUp failed with error ${refusal}.`,
        state: 'my state',
      })
    } finally {
      refusal = undefined
    }
    const found = await pool.client.send(
      new ListUsersCommand({ UserPoolId: pool.userPoolId, Filter: 'email = "taken@gmail.example"' }),
    )
    expect(found.Users).toEqual([])
  })

  it.each([
    [{}, 'true'],
    [{ unverified: 'on' }, 'false'],
  ])('PreSignUp is told as text whether Google has verified the address: %j (H6)', async (form, verified) => {
    const email = anEmail()
    await decide(location(await authorize()), { decision: 'allow', email, name: 'Gil', ...form })
    expect(preSignUpEvent).toMatchObject({
      triggerSource: 'PreSignUp_ExternalProvider',
      request: { userAttributes: { email, email_verified: verified } },
    })
    const { Users = [] } = await pool.client.send(
      new ListUsersCommand({ UserPoolId: pool.userPoolId, Filter: `email = "${email}"` }),
    )
    expect(Users[0]?.Attributes).toContainEqual({ Name: 'email_verified', Value: verified })
  })

  it('remembers the user until they sign out there, unless it must ask', async () => {
    const { cookie } = await signIn(anEmail())
    expect(location(await authorize({}, { cookie })).searchParams.has('code')).toBe(true)
    expect(location(await authorize({ prompt: 'consent' }, { cookie })).pathname).toMatch(/^\/google\//)
    const query = new URLSearchParams({ client_id: pool.clientId, logout_uri: returnUrl })
    expect(location(await get(`/logout?${query}`, { cookie })).href).toBe(returnUrl)
    expect(location(await authorize({}, { cookie })).pathname).toMatch(/^\/google\//)
    expect((await get(`/logout?client_id=${pool.clientId}&logout_uri=http://evil.example`)).status).toBe(400)
  })
})

describe('a user from Google', () => {
  it('DEC-117 is the same each time, with Google’s current name and address', async () => {
    const email = anEmail()
    const [first, second] = [await signInFully(email, 'Gil'), await signInFully(email, 'Gilda')]
    const [firstClaims, secondClaims] = [decodeJwt(first.id_token), decodeJwt(second.id_token)]
    expect(secondClaims.sub).toBe(firstClaims.sub)
    expect(secondClaims).toMatchObject({
      email,
      email_verified: true,
      name: 'Gilda',
      identities: [{ providerName: 'Google', providerType: 'Google', primary: 'true' }],
      token_use: 'id',
    })
    expect(secondClaims['cognito:username']).toMatch(/^google_\d{21}$/)
    expect(decodeJwt(second.access_token)).toMatchObject({
      token_use: 'access',
      version: 2,
      scope: 'openid email profile aws.cognito.signin.user.admin',
      'cognito:groups': [`${pool.userPoolId}_Google`],
    })
    const { UserAttributes = [] } = await pool.client.send(
      new GetUserCommand({ AccessToken: second.access_token }),
    )
    expect(UserAttributes.find(({ Name }) => Name === 'identities')?.Value).toContain('"Google"')
  })

  it('and a user with a password are two users even with the same address; ListUsers finds both', async () => {
    const user = await pool.newUser()
    await signInFully(user.email)
    const { Users = [] } = await pool.client.send(
      new ListUsersCommand({ UserPoolId: pool.userPoolId, Filter: `email = "${user.email}"` }),
    )
    expect(new Set(Users.map(({ UserStatus }) => UserStatus))).toEqual(
      new Set(['CONFIRMED', 'EXTERNAL_PROVIDER']),
    )
    expect((await pool.signIn(user)).tokens.access).not.toBe('')
  })

  it('has no password to sign in with, to change or to reset', async () => {
    const { access_token: AccessToken, id_token } = await signInFully(anEmail())
    const Username = String(decodeJwt(id_token)['cognito:username'])
    const { clientId: ClientId, client } = pool
    const rejection = (message: string) => ({ name: 'NotAuthorizedException', message })
    await expect(
      client.send(
        new InitiateAuthCommand({
          ClientId,
          AuthFlow: 'USER_SRP_AUTH',
          AuthParameters: { USERNAME: Username, SRP_A: 'abc' },
        }),
      ),
    ).rejects.toMatchObject(rejection('User is not authorized to get auth details.'))
    await expect(
      client.send(
        new ChangePasswordCommand({ AccessToken, PreviousPassword: 'a', ProposedPassword: 'abcdef' }),
      ),
    ).rejects.toMatchObject(rejection('User is not authorized to change password.'))
    await expect(client.send(new ForgotPasswordCommand({ ClientId, Username }))).rejects.toMatchObject(
      rejection('User password cannot be reset in the current state.'),
    )
  })
})
