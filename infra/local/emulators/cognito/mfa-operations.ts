import * as z from 'zod'
import { CognitoError } from './errors.ts'
import { userOperation, accessTokenInput } from './operation.ts'
import type { PoolUser } from './pool-store.ts'
import { acceptSoftwareToken, newSoftwareToken } from './software-token.ts'

/** A user's second factor as GetUser and AdminGetUser return it; empty when it is off. */
export const toMfaFields = (user: PoolUser): object => ({
  ...(user.mfa.enabled && { UserMFASettingList: ['SOFTWARE_TOKEN_MFA'] }),
  ...(user.mfa.enabled && user.mfa.preferred && { PreferredMfaSetting: 'SOFTWARE_TOKEN_MFA' }),
})

export const associateSoftwareToken = userOperation(accessTokenInput, (pool, user) => {
  const pendingSoftwareToken = newSoftwareToken()
  pool.store.saveUser({ ...user, pendingSoftwareToken })
  return { SecretCode: pendingSoftwareToken.secret }
})

export const verifySoftwareToken = userOperation(
  accessTokenInput.extend({ UserCode: z.string(), FriendlyDeviceName: z.string().optional() }),
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

const factorSettings = z
  .object({ Enabled: z.boolean().default(false), PreferredMfa: z.boolean().default(false) })
  .nullish()

export const setUserMfaPreference = userOperation(
  accessTokenInput.extend({
    SoftwareTokenMfaSettings: factorSettings,
    SMSMfaSettings: factorSettings,
    EmailMfaSettings: factorSettings,
  }),
  (pool, user, { SoftwareTokenMfaSettings: settings, SMSMfaSettings, EmailMfaSettings }) => {
    const unavailableFactor = [
      settings?.Enabled && !user.softwareToken && 'SOFTWARE_TOKEN_MFA',
      SMSMfaSettings?.Enabled && 'SMS_MFA',
      EmailMfaSettings?.Enabled && 'EMAIL_OTP',
    ].find(Boolean)
    if (unavailableFactor)
      throw new CognitoError(
        'InvalidParameterException',
        `User does not have delivery config set to turn on ${unavailableFactor}`,
      )
    if (settings)
      pool.store.saveUser({ ...user, mfa: { enabled: settings.Enabled, preferred: settings.PreferredMfa } })
    return {}
  },
)
