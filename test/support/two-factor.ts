import {
  InitiateAuthCommand,
  RespondToAuthChallengeCommand,
  SetUserMFAPreferenceCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { generateSync } from 'otplib'
import { routes } from '#shared/routes.ts'
import type { LocalStack } from './local-stack.ts'
import { openUserPool, type StackUser } from './stack-user.ts'

/** The secret that an authenticator app reads from the QR code. */
export const secretIn = (qrCodeUrl: string): string => new URL(qrCodeUrl).searchParams.get('secret') ?? ''

/** The app's code `steps` of 30 s from now. */
export const appCode = (secret: string, steps = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })

/** A code that is not valid at any time step near now. */
export function wrongAppCode(secret: string): string {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => appCode(secret, steps)))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.has(code)) ?? ''
}

/**
 * Turns two-factor on.
 * @returns `code` returns codes counted from the time step of the set-up, whose own code 0 is used up: 1 is accepted early, and is
 *   still valid when the next step has started
 */
export async function enrol(user: StackUser) {
  const { qrCodeUrl = '', backupCodes = [] } = await user.call('mfa.setup', { body: { action: 'generate' } })
  const secret = secretIn(qrCodeUrl)
  const epoch = Math.floor(Date.now() / 1000)
  const code = (steps: number) => generateSync({ secret, epoch: epoch + steps * 30 })
  await user.call('mfa.setup', { body: { action: 'verify', token: code(0) } })
  return { secret, backupCodes, code }
}

/** Calls `verify-2fa` as a signed-out user. */
export async function redeem(stack: Pick<LocalStack, 'origin'>, body: object) {
  const { method, path } = routes['mfa.verify']
  const response = await fetch(`${stack.origin}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }
}

/** The user pool's public API. */
export const openStackUserPool = async (stack: LocalStack) =>
  openUserPool({ origin: stack.origin, cognito: (await stack.endpoints()).cognito })

/** What a stolen access token can do without the product. */
export async function switchOffAtCognito(stack: LocalStack, { accessToken }: StackUser): Promise<void> {
  const { client } = await openStackUserPool(stack)
  const SoftwareTokenMfaSettings = { Enabled: false, PreferredMfa: false }
  await client.send(new SetUserMFAPreferenceCommand({ AccessToken: accessToken, SoftwareTokenMfaSettings }))
}

/** The password step over the pool's own API: the next challenge, and a function to respond to it. */
export async function passwordStep(
  stack: LocalStack,
  { email, password }: Pick<StackUser, 'email' | 'password'>,
) {
  const { client, ClientId } = await openStackUserPool(stack)
  const first = await client.send(
    new InitiateAuthCommand({
      ClientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: email, PASSWORD: password },
    }),
  )
  return {
    challenge: first.ChallengeName,
    tokens: first.AuthenticationResult,
    respond: async (code: string) => {
      const { AuthenticationResult } = await client.send(
        new RespondToAuthChallengeCommand({
          ClientId,
          ChallengeName: 'SOFTWARE_TOKEN_MFA',
          Session: first.Session,
          ChallengeResponses: { USERNAME: email, SOFTWARE_TOKEN_MFA_CODE: code },
        }),
      )
      return AuthenticationResult?.AccessToken ?? ''
    },
  }
}
