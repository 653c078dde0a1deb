import {
  AdminDeleteUserAttributesCommand,
  GetTokensFromRefreshTokenCommand,
  GetUserCommand,
  InitiateAuthCommand,
  ListUsersCommand,
  SignUpCommand,
  UpdateUserAttributesCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import type {
  PreAuthenticationTriggerEvent,
  PreSignUpTriggerEvent,
  PreTokenGenerationV2TriggerEvent,
} from 'aws-lambda'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type IdentityProviderDouble,
  startIdentityProvider,
} from '../../infra/local/doubles/identity-provider/server.ts'
import { CookieJar, exchangeHostedCode, type ProviderForm, signInHosted } from '../support/hosted-sign-in.ts'
import { anEmail, startTestPool, type TestPool } from '../support/cognito-pool.ts'

// The pool as relying party of a certified OpenID provider. Each rule names its source; the developer guide is
// https://docs.aws.amazon.com/cognito/latest/developerguide/

const site = 'http://127.0.0.1:4000'
const returnUrl = `${site}/auth`
const clientSecret = 'a secret of the client'

let pool: TestPool
let idp: IdentityProviderDouble
let preSignUpEvent: PreSignUpTriggerEvent | undefined
let groupOverride: object | null | undefined
let refusal: string | undefined
let beforeSignIn: ((event: PreAuthenticationTriggerEvent) => Promise<void>) | undefined
let tokenEvent: PreTokenGenerationV2TriggerEvent | undefined
let tokenRefusal: string | undefined
beforeAll(async () => {
  pool = await startTestPool({
    siteOrigins: [site],
    attributes: {
      customAttributes: ['custom:groups', 'custom:shown', 'custom:locked'],
      writeAttributes: ['email', 'name', 'custom:groups', 'custom:shown'],
      readAttributes: ['email', 'email_verified', 'name', 'custom:shown'],
    },
    triggers: {
      async preSignUp(event) {
        preSignUpEvent = event
        if (refusal) throw new Error(refusal)
        return event
      },
      async preAuthentication(event) {
        await beforeSignIn?.(event)
        return event
      },
      async preTokenGeneration(event) {
        tokenEvent = event
        if (tokenRefusal) throw new Error(tokenRefusal)
        event.response.claimsAndScopeOverrideDetails = {
          accessTokenGeneration: { scopesToSuppress: ['aws.cognito.signin.user.admin'] },
        }
        // also values that the types do not allow
        if (groupOverride !== undefined)
          Object.assign(event.response.claimsAndScopeOverrideDetails, { groupOverrideDetails: groupOverride })
        return event
      },
    },
  })
  idp = await startIdentityProvider({
    label: 'Okta',
    person: { email: 'sam@corp.example', name: 'Sam', groups: [] },
  })
  idp.register({ clientId: 'pool', clientSecret, redirectUris: [`${pool.url}/oauth2/idpresponse`] })
  await addProvider('Okta')
})
afterAll(async () => {
  await idp.close()
  await pool.remove()
})
beforeEach(() => {
  groupOverride = undefined
  refusal = undefined
  tokenRefusal = undefined
  beforeSignIn = undefined
})

const addProvider = (
  name: string,
  changes: Partial<Parameters<TestPool['addIdentityProvider']>[0]> = {},
): Promise<void> =>
  pool.addIdentityProvider({
    name,
    issuer: idp.url,
    clientId: 'pool',
    clientSecret,
    scopes: ['openid', 'email', 'profile'],
    attributeMapping: {
      email: 'email',
      email_verified: 'email_verified',
      name: 'name',
      'custom:groups': 'groups',
    },
    ...changes,
  })

const hostedPages = (provider = 'Okta') => ({
  oauthOrigin: pool.url,
  clientId: pool.clientId,
  returnUrl,
  provider,
})
const signIn = (form: ProviderForm, provider?: string) => signInHosted(hostedPages(provider), form)
const signInFully = async (form: ProviderForm, provider?: string) =>
  exchangeHostedCode(hostedPages(provider), await signIn(form, provider))
const readError = async (form: ProviderForm, provider?: string) =>
  Object.fromEntries((await signIn(form, provider)).to.searchParams)

async function findUser(email: string) {
  const { Users = [] } = await pool.client.send(
    new ListUsersCommand({ UserPoolId: pool.userPoolId, Filter: `email = "${email}"` }),
  )
  const attributes = (Users[0]?.Attributes ?? []).map(({ Name = '', Value = '' }) => [Name, Value] as const)
  return { name: Users[0]?.Username, attributes: Object.fromEntries(attributes) as Record<string, string> }
}

describe('a user of an OpenID provider', () => {
  // cognito-user-pools-specifying-attribute-mapping.html: "MyOIDCIdP_[sub]"; the pool ignores case in names, so that it is lower case
  it('gets a name of provider and subject, an identity, and the provider’s group', async () => {
    const email = anEmail()
    const tokens = await signInFully({ email, name: 'Sam', groups: 'staff' })
    const { name, attributes } = await findUser(email)
    const [identity] = JSON.parse(attributes['identities'] ?? '[]') as { userId: string }[]
    expect(identity).toEqual({
      userId: expect.stringMatching(/[A-Z]/) as string,
      providerName: 'Okta',
      providerType: 'OIDC',
      issuer: null,
      primary: true,
      dateCreated: expect.any(Number) as number,
    })
    expect(name).toBe(`okta_${identity?.userId.toLowerCase()}`)
    expect(decodeJwt(tokens.id_token)).toMatchObject({
      email,
      email_verified: true,
      name: 'Sam',
      'cognito:username': name,
      'cognito:groups': [`${pool.userPoolId}_Okta`],
      identities: [
        { providerName: 'Okta', primary: 'true', dateCreated: expect.stringMatching(/^\d+$/) as string },
      ],
    })
    expect(decodeJwt(tokens.access_token)).toMatchObject({ version: 2, username: name })
  })

  it('is the same at each sign-in, with the provider’s current data', async () => {
    const email = anEmail()
    const first = await signInFully({ email, name: 'Sam' })
    const second = await signInFully({ email, name: 'Samira', unverified: 'on' })
    expect(decodeJwt(second.id_token)).toMatchObject({
      sub: decodeJwt(first.id_token).sub,
      name: 'Samira',
      email_verified: false,
    })
  })

  it('is announced to PreSignUp with the mapped attributes and the name, and created only if it allows it', async () => {
    const email = anEmail()
    refusal = 'Sign-up is by invitation'
    expect(await readError({ email, groups: 'staff' })).toEqual({
      error: 'invalid_request',
      error_description: `PreSignUp failed with error ${refusal}.`,
      state: 'any',
    })
    expect(preSignUpEvent).toMatchObject({
      triggerSource: 'PreSignUp_ExternalProvider',
      userName: expect.stringMatching(/^okta_[a-z\d]+$/) as string,
      request: { userAttributes: { email, email_verified: 'true', 'custom:groups': '["staff"]' } },
    })
    expect(preSignUpEvent?.request.userAttributes).not.toHaveProperty('identities')
    expect(await findUser(email)).toEqual({ name: undefined, attributes: {} })
  })

  // token-endpoint.html lists the errors but not this case: `invalid_grant` means a code that yields no tokens
  it('gets the reason instead of tokens if the token trigger refuses, for a code or a session', async () => {
    const email = anEmail()
    const { refresh_token: RefreshToken } = await signInFully({ email })
    const { to, verifier } = await signIn({ email })
    tokenRefusal = 'Please sign in with Okta instead'
    const response = await fetch(`${pool.url}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: pool.clientId,
        redirect_uri: returnUrl,
        code: to.searchParams.get('code') ?? '',
        code_verifier: verifier,
      }),
    })
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'invalid_grant', error_description: `PreTokenGeneration failed with error ${tokenRefusal}.` },
    ])
    const refresh = new GetTokensFromRefreshTokenCommand({ ClientId: pool.clientId, RefreshToken })
    await expect(pool.client.send(refresh)).rejects.toMatchObject({
      name: 'UserLambdaValidationException',
      message: `PreTokenGeneration failed with error ${tokenRefusal}.`,
    })
  })

  it('returns with the provider’s error after cancelling', async () => {
    expect(await readError({ decision: 'cancel' })).toEqual({
      error: 'access_denied',
      error_description: 'The user cancelled the sign-in.',
      state: 'any',
    })
  })
})

// user-pool-lambda-pre-authentication.html
describe('the pre-authentication trigger', () => {
  const deleteGroups = async ({
    userPoolId: UserPoolId,
    userName: Username,
  }: PreAuthenticationTriggerEvent) => {
    const UserAttributeNames = ['custom:groups']
    await pool.client.send(new AdminDeleteUserAttributesCommand({ UserPoolId, Username, UserAttributeNames }))
  }

  it('is called before each sign-in except the first, and before the claims fill the attributes', async () => {
    const email = anEmail()
    const events: PreAuthenticationTriggerEvent[] = []
    beforeSignIn = async (event) => {
      events.push(event)
      await deleteGroups(event)
    }
    await signInFully({ email, groups: 'staff' })
    expect(events).toEqual([])
    await signInFully({ email, groups: 'sales' })
    expect(events).toMatchObject([
      {
        triggerSource: 'PreAuthentication_Authentication',
        userName: expect.stringMatching(/^okta_/) as string,
        request: { userAttributes: { email, 'custom:groups': '["staff"]' } },
      },
    ])
    expect((await findUser(email)).attributes['custom:groups']).toBe('["sales"]')
    await signInFully({ email, groups: '' })
    expect((await findUser(email)).attributes).not.toHaveProperty('custom:groups')
  })

  it('ends a sign-in that it refuses, also with a password', async () => {
    const email = anEmail()
    await signInFully({ email })
    const user = await pool.newUser()
    beforeSignIn = async () => {
      throw new Error('Not today')
    }
    expect(await readError({ email })).toMatchObject({
      error_description: 'PreAuthentication failed with error Not today.',
    })
    await expect(pool.signIn(user)).rejects.toThrow('PreAuthentication failed with error Not today.')
  })

  it('AdminDeleteUserAttributes refuses required and unknown attributes', async () => {
    const { sub: Username } = await pool.newUser()
    const remove = (name: string) =>
      pool.client.send(
        new AdminDeleteUserAttributesCommand({
          UserPoolId: pool.userPoolId,
          Username,
          UserAttributeNames: [name],
        }),
      )
    await expect(remove('email')).rejects.toMatchObject({ name: 'InvalidParameterException' })
    await expect(remove('custom:missing')).rejects.toMatchObject({ name: 'InvalidParameterException' })
    await remove('custom:groups')
  })
})

describe('attributes of a provider', () => {
  // as in pools with OpenID providers: `["a","b"]`
  it('a list of groups becomes JSON; a missing claim keeps the previous value', async () => {
    const email = anEmail()
    await signInFully({ email, groups: 'staff, R&D team' })
    expect((await findUser(email)).attributes['custom:groups']).toBe('["staff","R&D team"]')
    // "If a previously mapped claim no longer exists in the incoming token, it won't be deleted or changed."
    await signInFully({ email, groups: '' })
    expect((await findUser(email)).attributes['custom:groups']).toBe('["staff","R&D team"]')
  })

  // "the maximum value length (2048 characters) must be large enough", otherwise "Amazon Cognito reports an error"
  it('a value over 2,048 characters is an error', async () => {
    const [longestValue, tooLongValue] = ['a'.repeat(2044), 'a'.repeat(2045)]
    expect((await signIn({ email: anEmail(), groups: longestValue })).to.searchParams.has('code')).toBe(true)
    expect(await readError({ email: anEmail(), groups: tooLongValue })).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringMatching(/^Invalid user attributes: custom:groups: .*2048/) as string,
    })
  })

  it.each([
    // "the mapped attributes must be writable"
    ['custom:locked', 'Attribute cannot be updated.'],
    // https://github.com/aws-samples/cloudfront-authorization-at-edge/issues/153
    ['custom:missing', 'Attribute does not exist in the schema.'],
  ])(
    'the client must be allowed to write a mapped attribute, and the pool must have it: %s',
    async (attribute, reason) => {
      await addProvider('Strict', { attributeMapping: { email: 'email', [attribute]: 'name' } })
      expect(await readError({ email: anEmail() }, 'Strict')).toMatchObject({
        error: 'invalid_request',
        error_description: `Invalid user attributes: ${attribute}: ${reason}\n `,
      })
    },
  )

  it('the address must be mapped, because the pool requires it; without email_verified it is not verified', async () => {
    await addProvider('Silent', { attributeMapping: { email: 'mail' } })
    expect(await readError({ email: anEmail() }, 'Silent')).toMatchObject({
      error_description: 'attributes required: [email]',
    })
    // "By default, mapped email addresses are unverified."
    await addProvider('Entra', { attributeMapping: { email: 'email' } })
    const email = anEmail()
    await signInFully({ email }, 'Entra')
    expect((await findUser(email)).attributes['email_verified']).toBe('false')
  })

  // API_CreateUserPoolClient: ReadAttributes and WriteAttributes
  it('are in the ID token only if the client may read them; triggers see all', async () => {
    const email = anEmail()
    await addProvider('Open', {
      attributeMapping: { email: 'email', 'custom:groups': 'groups', 'custom:shown': 'name' },
    })
    const tokens = await signInFully({ email, name: 'Sam', groups: 'staff' }, 'Open')
    const claims = decodeJwt(tokens.id_token)
    expect([claims['custom:groups'], claims['custom:shown']]).toEqual([undefined, 'Sam'])
    expect(tokenEvent?.request.userAttributes).toMatchObject({
      'custom:groups': '["staff"]',
      'cognito:user_status': 'EXTERNAL_PROVIDER',
    })
  })
})

describe('attributes that a client writes itself', () => {
  it.each([
    ['custom:locked', 'NotAuthorizedException'],
    ['picture', 'NotAuthorizedException'],
    ['custom:missing', 'InvalidParameterException'],
  ])('a sign-up with %s is refused', async (Name, name) => {
    const email = anEmail()
    await expect(
      pool.client.send(
        new SignUpCommand({
          ClientId: pool.clientId,
          Username: email,
          Password: 'correct horse',
          UserAttributes: [
            { Name: 'email', Value: email },
            { Name, Value: 'x' },
          ],
        }),
      ),
    ).rejects.toMatchObject({ name })
  })

  it('a token without the self-service scope writes none, even right after a sign-in', async () => {
    const { access_token: AccessToken } = await signInFully({ email: anEmail() })
    const rejection = {
      name: 'NotAuthorizedException',
      message: 'Access Token does not have required scopes',
    }
    const UserAttributes = [{ Name: 'custom:groups', Value: '["admins"]' }]
    await expect(
      pool.client.send(new UpdateUserAttributesCommand({ AccessToken, UserAttributes })),
    ).rejects.toMatchObject(rejection)
    await expect(pool.client.send(new GetUserCommand({ AccessToken }))).rejects.toMatchObject(rejection)
  })
})

// user-pool-lambda-pre-token-generation.html
describe('groups from the trigger', () => {
  const groupsIn = (tokens: { id_token: string; access_token: string }) =>
    [tokens.id_token, tokens.access_token].map((token) => decodeJwt(token)['cognito:groups'])

  it('replace those of the pool in both tokens, even if the pool does not have them', async () => {
    groupOverride = { groupsToOverride: ['staff', 'not in the pool'] }
    const tokens = await signInFully({ email: anEmail() })
    expect(groupsIn(tokens)).toEqual([
      ['staff', 'not in the pool'],
      ['staff', 'not in the pool'],
    ])
    groupOverride = { groupsToOverride: [] }
    expect(groupsIn(await signInFully({ email: anEmail() }))).toEqual([undefined, undefined])
  })

  it('accept the event’s own configuration as the response', async () => {
    await signInFully({ email: anEmail() })
    groupOverride = tokenEvent?.request.groupConfiguration
    const group = `${pool.userPoolId}_Okta`
    expect(groupsIn(await signInFully({ email: anEmail() }))).toEqual([[group], [group]])
  })

  it.each([[{ groupsToOverride: 'staff' }], [{ groupsToOverride: [1] }], [{ groups: ['staff'] }]])(
    'anything but a list of names fails the sign-in: %j',
    async (override) => {
      groupOverride = override
      await expect(signInFully({ email: anEmail() })).rejects.toThrow('Unrecognizable lambda output')
    },
  )
})

describe('the pool as relying party', () => {
  it('sends state, and neither a nonce nor a proof key, to exactly its redirect URI', async () => {
    const query = new URLSearchParams({
      client_id: pool.clientId,
      response_type: 'code',
      redirect_uri: returnUrl,
      identity_provider: 'Okta',
      prompt: 'login',
      login_hint: 'sam@corp.example',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })
    const to = await new CookieJar().follow(`${pool.url}/oauth2/authorize?${query.toString()}`)
    expect(Object.fromEntries(to.searchParams)).toEqual({
      client_id: 'pool',
      response_type: 'code',
      redirect_uri: `${pool.url}/oauth2/idpresponse`,
      scope: 'openid email profile',
      state: expect.any(String) as string,
      prompt: 'login',
      login_hint: 'sam@corp.example',
    })
    const jar = new CookieJar()
    const page = await jar.fetch(await jar.follow(to))
    expect(await page.text()).toContain('value="sam@corp.example"')
  })

  it.each(['login', 'consent'])('a sign-in with prompt=%s succeeds', async (prompt) => {
    const { to } = await signInHosted({ ...hostedPages(), query: { prompt } }, { email: anEmail() })
    expect(to.searchParams.has('code')).toBe(true)
  })

  // authorization-endpoint.html: "scope"
  it('tokens have the scopes that the sign-in requested, also after a refresh', async () => {
    const pages = { ...hostedPages(), query: { scope: 'openid email' } }
    const tokens = await exchangeHostedCode(pages, await signInHosted(pages, { email: anEmail() }))
    const { AuthenticationResult } = await pool.client.send(
      new GetTokensFromRefreshTokenCommand({ ClientId: pool.clientId, RefreshToken: tokens.refresh_token }),
    )
    for (const token of [tokens.access_token, AuthenticationResult?.AccessToken ?? ''])
      expect(decodeJwt(token)['scope']).toBe('openid email')
  })

  it('the provider accepts its exact redirect URI and secret only', async () => {
    const clientParams = { response_type: 'code', client_id: 'pool', scope: 'openid' }
    const authorize = (redirect_uri: string) =>
      new CookieJar().fetch(
        `${idp.url}/auth?${new URLSearchParams({ ...clientParams, redirect_uri }).toString()}`,
      )
    expect((await authorize(`${pool.url}/oauth2/idpresponse`)).status).toBe(303)
    for (const wrong of [`${pool.url}/oauth2/idpresponse/`, 'http://evil.example/oauth2/idpresponse'])
      expect((await authorize(wrong)).status).toBe(400)
  })

  it('the provider must publish its configuration, with exactly this issuer', async () => {
    await expect(addProvider('Slash', { issuer: `${idp.url}/` })).rejects.toThrow('no configuration')
    await expect(
      addProvider('Wrong', { issuer: `${idp.url.replace('127.0.0.1', 'localhost')}` }),
    ).rejects.toThrow('instead of')
  })

  // federation-endpoint-idp-responses.html: "adds the provider name and HTTP error code to the existing error strings"
  it('a wrong client secret returns the provider’s error', async () => {
    await addProvider('Stranger', { clientSecret: 'wrong' })
    expect(await readError({ email: anEmail() }, 'Stranger')).toMatchObject({
      error: 'invalid_client',
      error_description: expect.stringMatching(/^Stranger Error - 401 invalid_client/) as string,
    })
  })

  it('an unknown provider, a foreign state and a used response are refused', async () => {
    await expect(signIn({ email: anEmail() }, 'Nobody')).rejects.toThrow('does not exist')
    const jar = new CookieJar()
    await expect(jar.follow(`${pool.url}/oauth2/idpresponse?code=a&state=b`)).rejects.toThrow('begin again')
  })
})

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateUserPoolClient.html: ExplicitAuthFlows
describe('a client without password sign-in', () => {
  it('refuses both flows, each with its own message', async () => {
    const poolWithoutFlows = await startTestPool({ authFlows: [] })
    const initiate = (AuthFlow: 'USER_SRP_AUTH' | 'USER_PASSWORD_AUTH') =>
      poolWithoutFlows.client.send(
        new InitiateAuthCommand({
          ClientId: poolWithoutFlows.clientId,
          AuthFlow,
          AuthParameters: { USERNAME: 'ann@example.com', SRP_A: 'abc', PASSWORD: 'x' },
        }),
      )
    const rejection = (message: string) => ({ name: 'InvalidParameterException', message })
    await expect(initiate('USER_SRP_AUTH')).rejects.toMatchObject(
      rejection('USER_SRP_AUTH is not enabled for the client.'),
    )
    await expect(initiate('USER_PASSWORD_AUTH')).rejects.toMatchObject(
      rejection('USER_PASSWORD_AUTH flow not enabled for this client'),
    )
    await poolWithoutFlows.remove()
  })
})
