import { mfaContracts } from '#shared/contracts/routes/mfa.ts'
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import * as z from 'zod'
import type { User } from '../platform/access-token.ts'
import { apiFunction } from '../platform/api-function.ts'
import { parseEnv } from '../platform/env.ts'
import { BadRequest, NotSignedIn } from '../platform/errors.ts'
import { sealer } from '../platform/seal.ts'
import { secretStore } from '../platform/secret-store.ts'
import { openTable } from '../platform/table.ts'
import { disableFactor, regenerateCodes } from './change-factor.ts'
import { cognitoFactor } from './cognito-factor.ts'
import { factorRepository } from './factor-repository.ts'
import { stepUp } from './proof.ts'
import { redeemBackupCode } from './redeem-backup-code.ts'
import { beginSetUp, finishSetUp, type Caller } from './set-up.ts'
import { triesRepository } from './tries-repository.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
  SEALING_KEY_SECRET: z.string(),
  BRAND_NAME: z.string(),
})
// an answer later than the page waits for is none
const outside = { maxAttempts: 2, requestHandler: { requestTimeout: 4_000, throwOnRequestTimeout: true } }
const table = openTable(env.TABLE_NAME)
const parts = {
  factors: factorRepository(table),
  tries: triesRepository(table),
  cognito: cognitoFactor(new CognitoIdentityProviderClient(outside)),
  sealer: sealer(secretStore(new SecretsManagerClient(outside)), env.SEALING_KEY_SECRET),
  issuer: env.BRAND_NAME,
}
const done = { success: true as const }

function callerOf(user: User, headers: Readonly<Record<string, string>>): Caller {
  const accessToken = (headers['authorization'] ?? '').replace(/^Bearer +/i, '')
  return { sub: user.sub, signedInAt: user.signedInAt, accessToken }
}

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
    if (isBackupCode && email !== undefined)
      return { ...done, codes: await redeemBackupCode(parts, { email, token, attemptId }) }
    if (user) await stepUp(parts, user, { token, isBackupCode })
    else if (isBackupCode) throw new BadRequest('Please enter your e-mail address first.')
    else throw new NotSignedIn('a code of the app proves nothing without a sign-in')
    return done
  },

  'mfa.status': async ({ user, headers }) => {
    const { enabled, federated } = await parts.cognito.account(callerOf(user, headers).accessToken)
    const factor = enabled ? await parts.factors.find(user.sub) : undefined
    return { enabled, federated, backupCodesLeft: factor?.codes.size ?? 0 }
  },
})
