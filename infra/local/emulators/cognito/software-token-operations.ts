import * as z from 'zod'
import { CognitoError } from './errors.ts'
import { userOperation, withToken } from './operation.ts'
import type { PoolUser } from './pool-store.ts'
import { acceptSoftwareToken, newSoftwareToken } from './software-token.ts'

/** A user's second factor as GetUser and AdminGetUser return it; empty when it is off. */
export const getMfaSettings = (user: PoolUser): object => ({
  ...(user.mfa.enabled && { UserMFASettingList: ['SOFTWARE_TOKEN_MFA'] }),
  ...(user.mfa.enabled && user.mfa.preferred && { PreferredMfaSetting: 'SOFTWARE_TOKEN_MFA' }),
})

export const associateSoftwareToken = userOperation(withToken, (pool, user) => {
  const pendingSoftwareToken = newSoftwareToken()
  pool.store.saveUser({ ...user, pendingSoftwareToken })
  return { SecretCode: pendingSoftwareToken.secret }
})

export const verifySoftwareToken = userOperation(
  withToken.extend({ UserCode: z.string(), FriendlyDeviceName: z.string().optional() }),
  (pool, user, { UserCode }) => {
    const { pendingSoftwareToken, ...rest } = user
    const token = pendingSoftwareToken ?? user.softwareToken
    const softwareToken = token && acceptSoftwareToken(token, UserCode)
    if (!softwareToken)
      throw new CognitoError(
        'EnableSoftwareTokenMFAException',
        'Code mismatch and fail enable Software Token MFA',
      )
    pool.store.saveUser({ ...rest, softwareToken })
    return { Status: 'SUCCESS' }
  },
)

const factor = z
  .object({ Enabled: z.boolean().default(false), PreferredMfa: z.boolean().default(false) })
  .nullish()

export const setUserMfaPreference = userOperation(
  withToken.extend({
    SoftwareTokenMfaSettings: factor,
    SMSMfaSettings: factor,
    EmailMfaSettings: factor,
  }),
  (pool, user, { SoftwareTokenMfaSettings: settings, SMSMfaSettings, EmailMfaSettings }) => {
    const missing = [
      settings?.Enabled && !user.softwareToken && 'SOFTWARE_TOKEN_MFA',
      SMSMfaSettings?.Enabled && 'SMS_MFA',
      EmailMfaSettings?.Enabled && 'EMAIL_OTP',
    ].find(Boolean)
    if (missing)
      throw new CognitoError(
        'InvalidParameterException',
        `User does not have delivery config set to turn on ${missing}`,
      )
    if (settings)
      pool.store.saveUser({ ...user, mfa: { enabled: settings.Enabled, preferred: settings.PreferredMfa } })
    return {}
  },
)
