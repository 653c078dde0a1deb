import { randomBytes, randomUUID } from 'node:crypto'
import * as z from 'zod'
import { CognitoError, userDisabled, wrongCredentials } from './errors.ts'
import { openOperation } from './operation.ts'
import { attemptsKey, requireClient, type Pool } from './pool.ts'
import type { PoolUser } from './pool-store.ts'
import { acceptSoftwareToken } from './software-token.ts'
import { beforeAuthentication } from './triggers.ts'
import { beginExchange, verifyPassword, verifyProof, fakeVerifier, fakeUserId } from './srp.ts'

const parameters = z.record(z.string(), z.string()).default({})

export const initiateAuth = openOperation(
  z.object({ ClientId: z.string(), AuthFlow: z.string(), AuthParameters: parameters }),
  (pool, { ClientId, AuthFlow, AuthParameters }) => {
    requireClient(pool, ClientId)
    const isAllowed = pool.authFlows.some((flow) => flow === `ALLOW_${AuthFlow}`)
    if (AuthFlow === 'USER_SRP_AUTH' && isAllowed) return beginSrp(pool, AuthParameters)
    if (AuthFlow === 'USER_PASSWORD_AUTH' && isAllowed) return signInByPassword(pool, AuthParameters)
    // its message differs: https://github.com/aws-samples/aws-serverless-workshops/issues/277
    if (AuthFlow === 'USER_SRP_AUTH')
      throw new CognitoError('InvalidParameterException', 'USER_SRP_AUTH is not enabled for the client.')
    // Rotation of refresh tokens excludes REFRESH_TOKEN_AUTH: only GetTokensFromRefreshToken refreshes.
    throw new CognitoError('InvalidParameterException', `${AuthFlow} flow not enabled for this client`)
  },
)

export const respondToAuthChallenge = openOperation(
  z.object({
    ClientId: z.string(),
    ChallengeName: z.string(),
    ChallengeResponses: parameters,
    Session: z.string().nullish(),
  }),
  (pool, { ClientId, ChallengeName, ChallengeResponses, Session }) => {
    requireClient(pool, ClientId)
    if (ChallengeName === 'PASSWORD_VERIFIER') return answerSrp(pool, ChallengeResponses)
    if (ChallengeName === 'SOFTWARE_TOKEN_MFA')
      return answerSoftwareToken(pool, ChallengeResponses, Session ?? '')
    throw new CognitoError('InvalidParameterException', `Unsupported challenge ${ChallengeName}`)
  },
)

export const getTokensFromRefreshToken = openOperation(
  z.object({ ClientId: z.string(), RefreshToken: z.string() }),
  async (pool, { ClientId, RefreshToken }) => {
    requireClient(pool, ClientId)
    return { AuthenticationResult: await pool.tokens.refresh(RefreshToken) }
  },
)

export const revokeToken = openOperation(
  z.object({ ClientId: z.string(), Token: z.string() }),
  (pool, { ClientId, Token }) => {
    requireClient(pool, ClientId)
    pool.tokens.revoke(Token)
    return {}
  },
)

async function beginSrp(pool: Pool, parameters: Record<string, string>): Promise<object> {
  const name = required(parameters, 'USERNAME')
  const user = pool.store.findUser(name)
  refuseFederated(user)
  if (user) await beforeAuthentication(pool, user)
  const stored = user?.password ?? fakeVerifier(pool.fakeKey, name)
  const exchange = beginExchange(required(parameters, 'SRP_A'), stored)
  if (!exchange) throw new CognitoError('InvalidParameterException', 'SRP_A is not valid')
  const userId = user?.sub ?? fakeUserId(pool.fakeKey, name)
  const secretBlock = randomBytes(256).toString('base64')
  pool.passwordChallenges.add(secretBlock, { userId, exchange })
  return {
    ChallengeName: 'PASSWORD_VERIFIER',
    ChallengeParameters: {
      SALT: stored.salt,
      SRP_B: exchange.B.toString(16),
      SECRET_BLOCK: secretBlock,
      USERNAME: userId,
      USER_ID_FOR_SRP: userId,
    },
  }
}

function answerSrp(pool: Pool, responses: Record<string, string>): Promise<object> {
  const name = required(responses, 'USERNAME')
  const secretBlock = required(responses, 'PASSWORD_CLAIM_SECRET_BLOCK')
  const signature = required(responses, 'PASSWORD_CLAIM_SIGNATURE')
  const timestamp = required(responses, 'TIMESTAMP')
  const challenge = pool.passwordChallenges.find(secretBlock)
  if (typeof challenge === 'string') throw sessionError(challenge)
  pool.passwordChallenges.spend(secretBlock)
  const { userId, exchange } = challenge
  // The user is loaded again: the password may have changed since the exchange began.
  const user = pool.store.findUserBySub(userId)
  const isSame = name === userId || (user !== undefined && pool.store.findUser(name)?.sub === user.sub)
  pool.attempts.throwIfLocked(userId)
  const isProven = verifyProof(pool.name, userId, exchange, { secretBlock, signature, timestamp })
  const isCurrent = user?.password.verifier === exchange.verifier.toString(16)
  if (!isProven || !isSame || !user || !isCurrent) {
    pool.attempts.countFailure(userId)
    throw wrongCredentials()
  }
  return finishPasswordSignIn(pool, user)
}

async function signInByPassword(pool: Pool, parameters: Record<string, string>): Promise<object> {
  const name = required(parameters, 'USERNAME')
  const password = required(parameters, 'PASSWORD')
  const found = pool.store.findUser(name)
  refuseFederated(found)
  if (found) await beforeAuthentication(pool, found)
  const user = pool.store.findUser(name)
  const userId = user?.sub ?? fakeUserId(pool.fakeKey, name)
  pool.attempts.throwIfLocked(userId)
  // An unknown name goes through the same computation, so that the response time reveals nothing.
  const isRight = verifyPassword(
    pool.name,
    userId,
    password,
    user?.password ?? fakeVerifier(pool.fakeKey, name),
  )
  if (!user || !isRight) {
    pool.attempts.countFailure(userId)
    throw wrongCredentials()
  }
  return finishPasswordSignIn(pool, user)
}

/** Users of an identity provider have no password here. */
function refuseFederated(user: PoolUser | undefined): void {
  if (user?.status === 'EXTERNAL_PROVIDER')
    throw new CognitoError('NotAuthorizedException', 'User is not authorized to get auth details.')
}

async function finishPasswordSignIn(pool: Pool, user: PoolUser): Promise<object> {
  pool.attempts.forgetFailures(user.sub)
  if (user.disabled) throw userDisabled()
  if (user.status === 'UNCONFIRMED')
    throw new CognitoError('UserNotConfirmedException', 'User is not confirmed.')
  if (!user.mfa.enabled || !user.softwareToken)
    return { AuthenticationResult: await pool.tokens.issue(user), ChallengeParameters: {} }
  const session = `${randomUUID()}${randomBytes(48).toString('base64url')}`
  pool.tokenChallenges.add(session, { sub: user.sub })
  return {
    ChallengeName: 'SOFTWARE_TOKEN_MFA',
    Session: session,
    ChallengeParameters: { USER_ID_FOR_SRP: user.sub },
  }
}

async function answerSoftwareToken(
  pool: Pool,
  responses: Record<string, string>,
  session: string,
): Promise<object> {
  const name = required(responses, 'USERNAME')
  const code = required(responses, 'SOFTWARE_TOKEN_MFA_CODE')
  const challenge = pool.tokenChallenges.find(session)
  if (typeof challenge === 'string') throw sessionError(challenge)
  const user = pool.store.findUserBySub(challenge.sub)
  if (!user?.softwareToken || attemptsKey(name, pool.store.findUser(name)) !== user.sub)
    throw wrongCredentials()
  const softwareToken = acceptSoftwareToken(user.softwareToken, code)
  if (!softwareToken) throw new CognitoError('CodeMismatchException', 'Invalid code received for user')
  if (user.disabled) throw userDisabled()
  pool.tokenChallenges.spend(session)
  pool.store.saveUser({ ...user, softwareToken })
  return { AuthenticationResult: await pool.tokens.issue(user), ChallengeParameters: {} }
}

const sessionError = (state: 'unknown' | 'spent'): CognitoError =>
  new CognitoError(
    'NotAuthorizedException',
    state === 'spent'
      ? 'Invalid session for the user, session can only be used once.'
      : 'Invalid session for the user, session is expired.',
  )

function required(parameters: Record<string, string>, name: string): string {
  const value = parameters[name]
  if (value) return value
  throw new CognitoError('InvalidParameterException', `Missing required parameter ${name}`)
}
