import { sayAccount } from '#shared/sentences/account.ts'
import { adminFactorContracts } from '#shared/contracts/admin.ts'
import { mfaContracts } from '#shared/contracts/two-factor.ts'
import { wait } from '../platform/clock.ts'
import { anonymousCodesPerMinute } from '../platform/limits.ts'
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import * as z from 'zod'
import { auditLog } from '../platform/audit-log.ts'
import { parseBearerToken, type User } from '../platform/auth/access-token.ts'
import { apiFunction } from '../platform/http/api-function.ts'
import { clientTimeouts } from '../platform/client-timeouts.ts'
import { parseEnv } from '../platform/env.ts'
import { BadRequest, NotSignedIn, OwnAccount } from '../platform/errors.ts'
import { requestGuards } from '../platform/http/request-guards.ts'
import type { Budget } from '../platform/http/rate-limit.ts'
import { sealer } from '../platform/secrets/seal.ts'
import { secretStore } from '../platform/secrets/secret-store.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { poolAccounts, readAttribute } from '../platform/auth/pool-accounts.ts'
import { requireRecentSignIn } from '../platform/auth/recent-sign-in.ts'
import { tokenRevoker } from '../platform/auth/token-revocation.ts'
import { disableFactor, regenerateCodes, resetFactor } from './change-factor.ts'
import { cognitoFactor } from './cognito-factor.ts'
import { factorRepository } from './factor-repository.ts'
import { FederatedUser } from './errors.ts'
import { completeStepUp } from './step-up.ts'
import { redeemBackupCode } from './redeem-backup-code.ts'
import { startEnrolment, finishEnrolment, type Caller } from './enrolment.ts'
import { attemptsRepository } from './attempts-repository.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
  SEALING_KEY_SECRET: z.string(),
  BRAND_NAME: z.string(),
  USER_POOL_ID: z.string(),
})
// the page waits 10 s
const clientOptions = { maxAttempts: 2, ...clientTimeouts(4_000) }
const table = openTable(env.TABLE_NAME)
const client = new CognitoIdentityProviderClient(clientOptions)
const accounts = poolAccounts(env.USER_POOL_ID, client)
const log = auditLog(table)
const deps = {
  factors: factorRepository(table),
  attempts: attemptsRepository(table),
  cognito: cognitoFactor(env.USER_POOL_ID, client),
  sessions: tokenRevoker(table),
  sleep: wait,
  sealer: sealer(secretStore(new SecretsManagerClient(clientOptions)), env.SEALING_KEY_SECRET),
  issuer: env.BRAND_NAME,
}
/** For all callers together: e-mail addresses are free, so attempts per address do not limit the cost of hashing. */
const anonymousCodes: Budget = {
  name: 'backup-codes',
  max: anonymousCodesPerMinute,
  windowSeconds: 60,
}
const done = { success: true as const }

/** The route's authorization guarantees that there is a token. */
const toCaller = (user: User, headers: Readonly<Record<string, string>>): Caller => ({
  ...user,
  accessToken: parseBearerToken(headers['authorization']) ?? '',
})

export const handler = apiFunction(
  'mfa',
  { ...mfaContracts, ...adminFactorContracts },
  {
    'mfa.setup': async ({ user, headers, body }) => {
      const caller = toCaller(user, headers)
      if (body.action === 'generate') return { ...done, ...(await startEnrolment(deps, caller)) }
      if (body.action === 'regenerate')
        return { ...done, backupCodes: await regenerateCodes(deps, caller, body) }
      if (body.action === 'verify') await finishEnrolment(deps, caller, body.token ?? '')
      else await disableFactor(deps, caller, body)
      return done
    },

    'mfa.verify': async ({ user, body }) => {
      const { token, isBackupCode, email, attemptId } = body
      // before the code is hashed; signed-in callers have a limit of their own
      if (isBackupCode && !user) await requestGuards().limits.countIn('anonymous', anonymousCodes)
      if (isBackupCode && email !== undefined)
        return { ...done, codes: await redeemBackupCode(deps, { email, token, attemptId }) }
      if (user) await completeStepUp(deps, user, { token, isBackupCode })
      else if (isBackupCode) throw new BadRequest(sayAccount('bad_request.address_first'))
      else throw new NotSignedIn('a code of the app proves nothing without a sign-in')
      return done
    },

    'admin.resetTwoFactor': async ({ user, params: { userId: sub } }) => {
      // a stolen session must not get rid of its owner's factor
      if (sub === user.sub) throw new OwnAccount('reset')
      requireRecentSignIn(user, Date.now())
      const { Username: username, Attributes } = await accounts.find(sub)
      if (readAttribute(Attributes, 'identities') !== '') throw new FederatedUser('reset')
      const actor = { id: user.sub, email: await accounts.findEmail(user.username) }
      const target = readAttribute(Attributes, 'email')
      await log.record({ actor, action: 'user.two_factor_reset', target, details: { user: sub } }, () =>
        resetFactor(deps, { sub, username }),
      )
      return done
    },

    'mfa.status': async ({ user }) => {
      const { hasFactor: enabled, isFederated: federated } = await deps.cognito.findAccount(user.username)
      const factor = enabled ? await deps.factors.find(user.sub) : undefined
      return { enabled, federated, backupCodesLeft: factor?.codes.size ?? 0 }
    },
  },
)
