import { mfaContracts } from '#shared/contracts/two-factor.ts'
import { anonymousCodesPerMinute } from '#shared/limits.ts'
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { bearerToken, type User } from '../platform/auth/access-token.ts'
import { apiFunction } from '../platform/http/api-function.ts'
import { clientTimeouts } from '../platform/client-timeouts.ts'
import { parseEnv } from '../platform/env.ts'
import { BadRequest, NotSignedIn } from '../platform/errors.ts'
import { requestGuards } from '../platform/http/request-guards.ts'
import type { Budget } from '../platform/http/rate-limit.ts'
import { sealer } from '../platform/secrets/seal.ts'
import { secretStore } from '../platform/secrets/secret-store.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { tokenRevoker } from '../platform/auth/token-revocation.ts'
import { disableFactor, regenerateCodes } from './change-factor.ts'
import { cognitoFactor } from './cognito-factor.ts'
import { factorRepository } from './factor-repository.ts'
import { stepUp } from './step-up.ts'
import { redeemBackupCode } from './redeem-backup-code.ts'
import { beginSetUp, finishSetUp, type Caller } from './enrolment.ts'
import { triesRepository } from './attempts-repository.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
  SEALING_KEY_SECRET: z.string(),
  BRAND_NAME: z.string(),
  USER_POOL_ID: z.string(),
})
// the page waits 10 s
const outside = { maxAttempts: 2, ...clientTimeouts(4_000) }
const table = openTable(env.TABLE_NAME)
const parts = {
  factors: factorRepository(table),
  tries: triesRepository(table),
  cognito: cognitoFactor(env.USER_POOL_ID, new CognitoIdentityProviderClient(outside)),
  sessions: tokenRevoker(table),
  sleep,
  sealer: sealer(secretStore(new SecretsManagerClient(outside)), env.SEALING_KEY_SECRET),
  issuer: env.BRAND_NAME,
}
/** Of everybody together: e-mail addresses are free, so the tries at each bound nothing for the function that hashes. */
const anonymousCodes: Budget = {
  name: 'backup-codes',
  max: anonymousCodesPerMinute,
  windowSeconds: 60,
}
const done = { success: true as const }

/** The route's own check has seen that there is a token. */
const callerOf = (user: User, headers: Readonly<Record<string, string>>): Caller => ({
  ...user,
  accessToken: bearerToken(headers['authorization']) ?? '',
})

export const handler = apiFunction('mfa', mfaContracts, {
  'mfa.setup': async ({ user, headers, body }) => {
    const caller = callerOf(user, headers)
    if (body.action === 'generate') return { ...done, ...(await beginSetUp(parts, caller)) }
    if (body.action === 'regenerate')
      return { ...done, backupCodes: await regenerateCodes(parts, caller, body) }
    if (body.action === 'verify') await finishSetUp(parts, caller, body.token ?? '')
    else await disableFactor(parts, caller, body)
    return done
  },

  'mfa.verify': async ({ user, body }) => {
    const { token, isBackupCode, email, attemptId } = body
    // before the code is hashed; signed-in callers have been counted on their own
    if (isBackupCode && !user) await requestGuards().limits.countIn('anonymous', anonymousCodes)
    if (isBackupCode && email !== undefined)
      return { ...done, codes: await redeemBackupCode(parts, { email, token, attemptId }) }
    if (user) await stepUp(parts, user, { token, isBackupCode })
    else if (isBackupCode) throw new BadRequest('Please enter your e-mail address first.')
    else throw new NotSignedIn('a code of the app proves nothing without a sign-in')
    return done
  },

  'mfa.status': async ({ user }) => {
    const { enabled, federated } = await parts.cognito.account(user.username)
    const factor = enabled ? await parts.factors.find(user.sub) : undefined
    return { enabled, federated, backupCodesLeft: factor?.codes.size ?? 0 }
  },
})
