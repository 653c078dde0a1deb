import {
  AdminUserGlobalSignOutCommand,
  AssociateSoftwareTokenCommand,
  ChangePasswordCommand,
  ConfirmForgotPasswordCommand,
  ConfirmSignUpCommand,
  DeleteUserCommand,
  ForgotPasswordCommand,
  GetTokensFromRefreshTokenCommand,
  GetUserAttributeVerificationCodeCommand,
  GetUserCommand,
  GlobalSignOutCommand,
  SetUserMFAPreferenceCommand,
  UpdateUserAttributesCommand,
  VerifySoftwareTokenCommand,
  VerifyUserAttributeCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import type { PostConfirmationTriggerEvent, PreTokenGenerationV2TriggerEvent } from 'aws-lambda'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anEmail, PASSWORD, startTestPool, getTokens, type TestPool } from '../support/cognito-pool.ts'

type TokenChanges = PreTokenGenerationV2TriggerEvent['response']['claimsAndScopeOverrideDetails']

let pool: TestPool
const tokenEvents: PreTokenGenerationV2TriggerEvent[] = []
const confirmations: PostConfirmationTriggerEvent[] = []
/** what a test lets the triggers do: nothing by default */
let tokenChanges: TokenChanges | undefined
let refusal: string | undefined

beforeAll(async () => {
  pool = await startTestPool({
    triggers: {
      preTokenGeneration: async (event) => {
        tokenEvents.unshift(structuredClone(event))
        if (refusal !== undefined) throw new Error(refusal)
        if (tokenChanges) event.response.claimsAndScopeOverrideDetails = tokenChanges
        return event
      },
      postConfirmation: async (event) => {
        confirmations.unshift(structuredClone(event))
        if (refusal !== undefined) throw new Error(refusal)
        return event
      },
    },
  })
})
beforeEach(() => {
  tokenChanges = undefined
  refusal = undefined
})
afterAll(() => pool.remove())

const scopes = (token: string) => String(decodeJwt(token)['scope']).split(' ')
const refresh = async (RefreshToken: string) =>
  getTokens(
    await pool.client.send(new GetTokensFromRefreshTokenCommand({ ClientId: pool.clientId, RefreshToken })),
  )

// https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-pre-token-generation.html
describe('pre-token-generation, version 2', () => {
  it('gets the event of a sign-in and of a refresh', async () => {
    const user = await pool.newUser()
    const { tokens } = await pool.signIn(user)
    expect(tokenEvents[0]).toEqual({
      version: '2',
      region: 'eu-central-1',
      userPoolId: pool.userPoolId,
      userName: user.sub,
      callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId: pool.clientId },
      triggerSource: 'TokenGeneration_Authentication',
      request: {
        userAttributes: {
          sub: user.sub,
          'cognito:user_status': 'CONFIRMED',
          email: user.email,
          email_verified: 'true',
          name: 'Ann',
        },
        groupConfiguration: { groupsToOverride: [], iamRolesToOverride: [], preferredRole: null },
        scopes: ['aws.cognito.signin.user.admin'],
      },
      response: { claimsAndScopeOverrideDetails: null },
    })
    await refresh(tokens.refresh)
    expect(tokenEvents[0]).toMatchObject({
      triggerSource: 'TokenGeneration_RefreshTokens',
      userName: user.sub,
    })
  })

  it('adds and suppresses scopes of the access token; suppressing wins', async () => {
    const user = await pool.newUser()
    expect(scopes((await pool.signIn(user)).tokens.access)).toEqual(['aws.cognito.signin.user.admin'])
    tokenChanges = { accessTokenGeneration: { scopesToAdd: ['a/b', 'c'], scopesToSuppress: ['c'] } }
    const { tokens } = await pool.signIn(user)
    expect(scopes(tokens.access)).toEqual(['aws.cognito.signin.user.admin', 'a/b'])
    expect(decodeJwt(tokens.id)).not.toHaveProperty('scope')
    tokenChanges = { accessTokenGeneration: { scopesToSuppress: ['aws.cognito.signin.user.admin'] } }
    expect(decodeJwt((await refresh(tokens.refresh)).access)['scope']).toBe('')
  })

  it('adds claims to the access token only', async () => {
    tokenChanges = { accessTokenGeneration: { claimsToAddOrOverride: { two_factor: 'required' } } }
    const { tokens } = await pool.signIn(await pool.newUser())
    expect(decodeJwt(tokens.access)).toMatchObject({ two_factor: 'required', token_use: 'access' })
    expect(decodeJwt(tokens.id)).not.toHaveProperty('two_factor')
  })

  it.each([
    ['a claim that cannot be changed', { accessTokenGeneration: { claimsToAddOrOverride: { sub: 'eve' } } }],
    ['a scope with a space', { accessTokenGeneration: { scopesToAdd: ['a b'] } }],
    ['a change that this pool does not carry out', { idTokenGeneration: { claimsToSuppress: ['email'] } }],
  ] satisfies [string, TokenChanges][])('returns an error for %s', async (_, changes) => {
    const user = await pool.newUser()
    tokenChanges = changes
    await expect(pool.signIn(user)).rejects.toMatchObject({ name: 'InvalidLambdaResponseException' })
  })

  it('refuses sign-in and refresh with the trigger’s text, and keeps the refresh token', async () => {
    const user = await pool.newUser()
    const { tokens } = await pool.signIn(user)
    refusal = 'not today'
    const rejection = {
      name: 'UserLambdaValidationException',
      message: 'PreTokenGeneration failed with error not today.',
    }
    await expect(pool.signIn(user)).rejects.toMatchObject(rejection)
    await expect(refresh(tokens.refresh)).rejects.toMatchObject(rejection)
    refusal = undefined
    expect((await refresh(tokens.refresh)).access).not.toBe('')
  })

  it('keeps the sign-in’s origin_jti and auth_time across refreshes', async () => {
    const { tokens } = await pool.signIn(await pool.newUser())
    const readSignInClaims = ({ origin_jti, auth_time }: ReturnType<typeof decodeJwt>) => ({
      origin_jti,
      auth_time,
    })
    const refreshedTokens = await refresh((await refresh(tokens.refresh)).refresh)
    expect(readSignInClaims(decodeJwt(refreshedTokens.access))).toEqual(
      readSignInClaims(decodeJwt(tokens.access)),
    )
  })
})

// the list of operations: aws-sdk client-cognito-identity-provider, "Authorize this action with a signed-in user's access token. It must
// include the scope aws.cognito.signin.user.admin."
describe('an access token without the scope for self-service', () => {
  it.each([
    ['GetUser', (AccessToken: string) => new GetUserCommand({ AccessToken })],
    [
      'UpdateUserAttributes',
      (AccessToken: string) =>
        new UpdateUserAttributesCommand({ AccessToken, UserAttributes: [{ Name: 'name', Value: 'Eve' }] }),
    ],
    [
      'GetUserAttributeVerificationCode',
      (AccessToken: string) =>
        new GetUserAttributeVerificationCodeCommand({ AccessToken, AttributeName: 'email' }),
    ],
    [
      'VerifyUserAttribute',
      (AccessToken: string) =>
        new VerifyUserAttributeCommand({ AccessToken, AttributeName: 'email', Code: '123456' }),
    ],
    [
      'ChangePassword',
      (AccessToken: string) =>
        new ChangePasswordCommand({
          AccessToken,
          PreviousPassword: PASSWORD,
          ProposedPassword: 'her battery',
        }),
    ],
    ['AssociateSoftwareToken', (AccessToken: string) => new AssociateSoftwareTokenCommand({ AccessToken })],
    [
      'VerifySoftwareToken',
      (AccessToken: string) => new VerifySoftwareTokenCommand({ AccessToken, UserCode: '123456' }),
    ],
    [
      'SetUserMFAPreference',
      (AccessToken: string) =>
        new SetUserMFAPreferenceCommand({ AccessToken, SoftwareTokenMfaSettings: { Enabled: false } }),
    ],
    ['GlobalSignOut', (AccessToken: string) => new GlobalSignOutCommand({ AccessToken })],
    ['DeleteUser', (AccessToken: string) => new DeleteUserCommand({ AccessToken })],
  ])('is refused by %s', async (_, command) => {
    const user = await pool.newUser()
    tokenChanges = { accessTokenGeneration: { scopesToSuppress: ['aws.cognito.signin.user.admin'] } }
    const { tokens } = await pool.signIn(user)
    await expect(pool.client.send(command(tokens.access) as GetUserCommand)).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Access Token does not have required scopes',
    })
  })
})

// https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-post-confirmation.html
describe('post-confirmation', () => {
  const confirm = (user: { email: string }, ClientMetadata?: Record<string, string>) =>
    pool.client.send(
      new ConfirmSignUpCommand({
        ClientId: pool.clientId,
        Username: user.email,
        ConfirmationCode: pool.codeTo(user.email),
        ClientMetadata,
      }),
    )
  const reset = async (user: { email: string }, Password: string) => {
    const userInput = { ClientId: pool.clientId, Username: user.email }
    await pool.client.send(new ForgotPasswordCommand(userInput))
    await pool.client.send(
      new ConfirmForgotPasswordCommand({ ...userInput, ConfirmationCode: pool.codeTo(user.email), Password }),
    )
  }

  it('gets the event of a confirmed sign-up, with the client’s metadata, and of a reset', async () => {
    const user = await pool.signUp()
    await confirm(user, { reason: 'test' })
    const event = {
      version: '1',
      region: 'eu-central-1',
      userPoolId: pool.userPoolId,
      userName: user.sub,
      callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId: pool.clientId },
      triggerSource: 'PostConfirmation_ConfirmSignUp',
      request: {
        userAttributes: {
          sub: user.sub,
          'cognito:user_status': 'CONFIRMED',
          email: user.email,
          email_verified: 'true',
          name: 'Ann',
        },
        clientMetadata: { reason: 'test' },
      },
      response: {},
    }
    expect(confirmations[0]).toEqual(event)
    await reset(user, 'battery staple')
    expect(confirmations[0]).toEqual({
      ...event,
      triggerSource: 'PostConfirmation_ConfirmForgotPassword',
      request: { userAttributes: event.request.userAttributes },
    })
  })

  it('is called after the change, which stands even if the trigger fails', async () => {
    const user = await pool.signUp()
    refusal = 'broken'
    await expect(confirm(user)).rejects.toMatchObject({
      name: 'UserLambdaValidationException',
      message: 'PostConfirmation failed with error broken.',
    })
    refusal = undefined
    await pool.signIn(user)
    refusal = 'broken'
    await expect(reset(user, 'battery staple')).rejects.toMatchObject({
      name: 'UserLambdaValidationException',
    })
    refusal = undefined
    await pool.signIn({ ...user, password: 'battery staple' })
  })

  it('a reset alone ends no session: the pool keeps refresh tokens', async () => {
    const user = await pool.newUser()
    const { tokens } = await pool.signIn(user)
    await reset(user, 'battery staple')
    expect((await refresh(tokens.refresh)).access).not.toBe('')
  })
})

it('AdminUserGlobalSignOut ends every sign-in of a user', async () => {
  const user = await pool.newUser()
  const { tokens } = await pool.signIn(user)
  await pool.client.send(
    new AdminUserGlobalSignOutCommand({ UserPoolId: pool.userPoolId, Username: user.sub }),
  )
  await expect(refresh(tokens.refresh)).rejects.toThrow('Refresh Token has been revoked')
  await expect(pool.client.send(new GetUserCommand({ AccessToken: tokens.access }))).rejects.toThrow(
    'Access Token has been revoked',
  )
})

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UserAttributeUpdateSettingsType.html: when
// AttributesRequireVerificationBeforeUpdate is not set, "API operations that change attribute values can immediately update"
it('a new e-mail address applies at once, unverified, if the pool does not keep the original', async () => {
  const user = await pool.newUser()
  const { access: AccessToken } = (await pool.signIn(user)).tokens
  const email = anEmail()
  await pool.client.send(
    new UpdateUserAttributesCommand({ AccessToken, UserAttributes: [{ Name: 'email', Value: email }] }),
  )
  await expect(pool.signIn(user)).rejects.toThrow('Incorrect username or password.')
  await pool.signIn({ ...user, email })
  const { UserAttributes } = await pool.client.send(new GetUserCommand({ AccessToken }))
  expect(UserAttributes).toContainEqual({ Name: 'email_verified', Value: 'false' })
})

it('a name is folded in ASCII letters only', async () => {
  const { email, sub } = await pool.signUp({ email: anEmail().replace('ann', 'kim') })
  const lookalike = await pool.signUp({ email: email.replace('kim', '\u212Aim') })
  expect(lookalike.sub).not.toBe(sub)
  await expect(pool.signUp({ email: email.toUpperCase() })).rejects.toMatchObject({
    name: 'UsernameExistsException',
  })
})
