import { ConsoleLogger } from '@aws-amplify/core'
import { Amplify } from 'aws-amplify'
import { fetchAuthSession, signIn } from 'aws-amplify/auth'
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito'
import { randomBytes } from 'node:crypto'
import type { RouteRequest, RouteResponse } from '#shared/contracts/route-contracts.ts'
import { type PathParams, type RouteName, routePath, routes } from '#shared/routes.ts'
import type { PageConfig } from './stage.ts'

/*
 * What operator commands do as a user of a deployment, by its public routes: they sign in, call a route, erase the account.
 */

/** Of an account with a password. */
export interface Credentials {
  readonly email: string
  readonly password: string
}

/** A random password, long enough for every password policy. */
export const newPassword = (): string => randomBytes(90).toString('base64url')

/**
 * Signs in as the page does, by SRP through Amplify.
 * @returns the access token
 * @throws Error when the sign-in needs another step, such as a code, and what Cognito throws
 */
export async function signInBySrp(
  {
    userPoolId,
    userPoolClientId,
    userPoolEndpoint,
  }: Pick<PageConfig, 'userPoolId' | 'userPoolClientId' | 'userPoolEndpoint'>,
  { email, password }: Credentials,
): Promise<string> {
  ConsoleLogger.LOG_LEVEL = 'ERROR'
  Amplify.configure({
    Auth: {
      Cognito: { userPoolId, userPoolClientId, ...(userPoolEndpoint && { userPoolEndpoint }) },
    },
  })
  const stored = new Map<string, string>()
  cognitoUserPoolsTokenProvider.setKeyValueStorage({
    getItem: async (key) => stored.get(key) ?? null,
    setItem: async (key, value) => void stored.set(key, value),
    removeItem: async (key) => void stored.delete(key),
    clear: async () => stored.clear(),
  })
  const { isSignedIn, nextStep } = await signIn({ username: email, password })
  if (!isSignedIn) throw new Error(`the sign-in requires ${nextStep.signInStep}`)
  const { tokens } = await fetchAuthSession()
  if (!tokens) throw new Error('the sign-in returned no tokens')
  return tokens.accessToken.toString()
}

/** Calls a route by its name. @throws Error with the response when its status is not 200 */
export type CallApi = <Name extends RouteName>(
  name: Name,
  input: { signal: AbortSignal; params: PathParams<Name>; body?: RouteRequest<Name> },
) => Promise<Response>

/** Binds calls to a deployment and a user's access token. */
export const createCaller =
  (origin: string, token: string): CallApi =>
  async (name, { signal, params, body }) => {
    const response = await fetch(`${origin}${routePath(name, params)}`, {
      method: routes[name].method,
      redirect: 'manual',
      signal,
      headers: {
        authorization: `Bearer ${token}`,
        ...(name === 'chat.send' && { accept: 'text/event-stream' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (response.status !== 200)
      throw new Error(`${name} answered ${response.status}: ${(await response.text()).slice(0, 300)}`)
    return response
  }

const erasureTimeoutMs = 60_000
/** A call takes about 20 s at most. */
const maxErasureCalls = 30

/**
 * Erases the account that a token belongs to. Repeats the call until nothing is left: each one erases a part of a large account.
 * @returns the receipt
 * @throws Error with the response when the product refuses, or when the account is not erased after 30 calls
 */
export async function eraseAccount(
  origin: string,
  accessToken: string,
): Promise<RouteResponse<'account.erase'>['receipt']> {
  const call = createCaller(origin, accessToken)
  for (let calls = 0; calls < maxErasureCalls; calls += 1) {
    const response = await call('account.erase', {
      signal: AbortSignal.timeout(erasureTimeoutMs),
      params: {},
      body: { confirm: 'DELETE' },
    })
    const { done, receipt } = (await response.json()) as RouteResponse<'account.erase'>
    if (done) return receipt
  }
  throw new Error(`the account is not erased after ${maxErasureCalls} calls`)
}
