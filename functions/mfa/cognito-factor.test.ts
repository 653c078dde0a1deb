import {
  AdminGetUserCommand,
  AdminSetUserMFAPreferenceCommand,
  AssociateSoftwareTokenCommand,
  CognitoIdentityProviderClient,
  SetUserMFAPreferenceCommand,
  VerifySoftwareTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { beforeEach, describe, expect, it } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { cognitoFactor } from './cognito-factor.ts'

const client = mockClient(CognitoIdentityProviderClient)
const cognito = cognitoFactor('pool-1', client as unknown as CognitoIdentityProviderClient)
beforeEach(() => client.reset())

/** What the service throws. */
const buildError = (name: string, message = '') => Object.assign(new Error(message), { name })

function mockAccount(attributes: Record<string, string>, factors?: string[]) {
  client.on(AdminGetUserCommand, { UserPoolId: 'pool-1', Username: 'ann' }).resolves({
    UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
    ...(factors && { UserMFASettingList: factors }),
  })
}

describe('an account', () => {
  it('has its verified address, and the factor that Cognito asks for', async () => {
    mockAccount({ sub: '1', email: 'ann@example.com', email_verified: 'true' }, ['SOFTWARE_TOKEN_MFA'])
    expect(await cognito.findAccount('ann')).toEqual({
      email: 'ann@example.com',
      hasFactor: true,
      isFederated: false,
    })
  })

  it.each([{ email: 'ann@example.com', email_verified: 'false' }, { email: 'ann@example.com' }, {}])(
    'has no address until it is verified: %j',
    async (attributes) => {
      mockAccount(attributes as Record<string, string>, ['EMAIL_OTP'])
      expect(await cognito.findAccount('ann')).toEqual({ email: '', hasFactor: false, isFederated: false })
    },
  )

  it('of an identity provider is federated', async () => {
    mockAccount({ identities: '[]', email_verified: 'true' })
    expect(await cognito.findAccount('ann')).toEqual({ email: '', hasFactor: false, isFederated: true })
  })

  it('without attributes has no factor', async () => {
    client.on(AdminGetUserCommand).resolves({})
    expect(await cognito.findAccount('ann')).toEqual({ email: '', hasFactor: false, isFederated: false })
  })
})

describe('the owner of an address', () => {
  it('is checked by the account’s address, whatever its spelling', async () => {
    mockAccount({ email: 'Ann@Example.com', email_verified: 'true' })
    expect(await cognito.hasEmail('ann', ' ann@example.COM')).toBe(true)
    expect(await cognito.hasEmail('ann', 'bob@example.com')).toBe(false)
  })

  it('is nobody when the account is gone, and unknown when Cognito fails', async () => {
    client.on(AdminGetUserCommand).rejects(buildError('UserNotFoundException'))
    expect(await cognito.hasEmail('ann', 'ann@example.com')).toBe(false)
    client.on(AdminGetUserCommand).rejects(buildError('InternalErrorException'))
    await expect(cognito.hasEmail('ann', 'ann@example.com')).rejects.toMatchObject({
      code: 'two_factor_unavailable',
    })
  })
})

describe('the factor', () => {
  it('is set up with the caller’s own token', async () => {
    client.on(AssociateSoftwareTokenCommand, { AccessToken: 'token' }).resolves({ SecretCode: 'SECRET' })
    expect(await cognito.createSecret('token')).toBe('SECRET')
    client.on(VerifySoftwareTokenCommand).resolves({ Status: 'SUCCESS' })
    await cognito.verifySecret('token', '123456')
    expect(client.commandCalls(VerifySoftwareTokenCommand)[0]?.args[0].input).toEqual({
      AccessToken: 'token',
      UserCode: '123456',
    })
    client.on(SetUserMFAPreferenceCommand).resolves({})
    await cognito.enable('token')
    expect(client.commandCalls(SetUserMFAPreferenceCommand)[0]?.args[0].input).toEqual({
      AccessToken: 'token',
      SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: true },
    })
  })

  it.each([{ Status: 'ERROR' as const }, {}])(
    'is not set up with a code that Cognito refuses in its response: %j',
    async (response) => {
      client.on(VerifySoftwareTokenCommand).resolves(response)
      await expect(cognito.verifySecret('token', '123456')).rejects.toMatchObject({
        ...wrongCode,
        message: 'Cognito did not accept the code',
      })
    },
  )

  it('is switched off with the function’s own permissions', async () => {
    client.on(AdminSetUserMFAPreferenceCommand).resolves({})
    await cognito.disable('ann')
    expect(client.calls().map(({ args }) => args[0].input)).toEqual([
      {
        UserPoolId: 'pool-1',
        Username: 'ann',
        SoftwareTokenMfaSettings: { Enabled: false, PreferredMfa: false },
      },
    ])
  })

  it('is not set up without a secret', async () => {
    client.on(AssociateSoftwareTokenCommand).resolves({})
    await expect(cognito.createSecret('token')).rejects.toMatchObject({
      code: 'two_factor_unavailable',
      message: 'Cognito gave no secret',
    })
  })
})

const cognitoUnavailable = {
  status: 503,
  code: 'two_factor_unavailable',
  message: 'Cognito failed',
  userMessage: 'The sign-in service did not answer as it should. Please try again in a moment.',
}
const wrongCode = { status: 400, code: 'invalid_code', message: 'Cognito refused the code' }
const badToken = { status: 401, code: 'invalid_token', message: 'Cognito refused the token' }
const tooManyCalls = {
  status: 429,
  code: 'too_many_requests',
  message: 'Cognito counts too many calls',
  retryAfterSeconds: 30,
}

describe.each([
  ['CodeMismatchException', '', wrongCode],
  ['EnableSoftwareTokenMFAException', '', wrongCode],
  ['ExpiredCodeException', '', wrongCode],
  ['NotAuthorizedException', 'Access Token has expired', badToken],
  ['UserNotFoundException', '', badToken],
  [
    'NotAuthorizedException',
    'Access Token does not have required scopes',
    { status: 403, code: 'recent_sign_in_required', message: 'Cognito misses the scope' },
  ],
  ['LimitExceededException', '', tooManyCalls],
  ['TooManyRequestsException', '', tooManyCalls],
  ['InternalErrorException', 'no such scope', cognitoUnavailable],
])('%s (%s)', (name, message, refusal) => {
  it.each(['findAccount', 'createSecret', 'enable', 'disable', 'verifySecret'] as const)(
    'of %s is reported with the product’s own error',
    async (operation) => {
      const cause = buildError(name, message)
      client.rejects(cause)
      const failure: unknown = await cognito[operation]('ann', '123456').catch((error: unknown) => error)
      // a rate limit has no cause
      expect(failure).toMatchObject(refusal === tooManyCalls ? refusal : { ...refusal, cause })
    },
  )
})

it('no response at all is reported as unavailable', async () => {
  client.on(AdminGetUserCommand).callsFake(() => Promise.reject('cut'))
  await expect(cognito.findAccount('ann')).rejects.toMatchObject(cognitoUnavailable)
})
