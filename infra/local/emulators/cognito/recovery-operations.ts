import * as z from 'zod'
import { hashNewPassword } from './attributes.ts'
import { codeMatches, deliverCode, newCode, pretendDelivery, RESET_CODE_MS } from './delivery.ts'
import { CognitoError, expiredCode, userDisabled, wrongCode } from './errors.ts'
import { clientMetadata, mailedCode, openOperation, password, userName } from './operation.ts'
import { attemptsKey, requireClient } from './pool.ts'
import { afterConfirmation } from './sign-up-operations.ts'

export const forgotPassword = openOperation(
  z.object({ ClientId: z.string(), Username: userName, ClientMetadata: clientMetadata }),
  async (pool, { ClientId, Username, ClientMetadata }) => {
    requireClient(pool, ClientId)
    const user = pool.store.findUser(Username)
    pool.attempts.count('ForgotPassword', attemptsKey(Username, user))
    if (user?.disabled) throw userDisabled()
    if (user?.status === 'EXTERNAL_PROVIDER' || user?.status === 'FORCE_CHANGE_PASSWORD')
      throw new CognitoError('NotAuthorizedException', 'User password cannot be reset in the current state.')
    const email = user?.attributes['email']
    // The response does not reveal whether there is an account or whether its address was ever confirmed.
    if (!user || !email || user.attributes['email_verified'] !== 'true')
      return { CodeDeliveryDetails: pretendDelivery(pool, email ?? Username) }
    const code = newCode(RESET_CODE_MS)
    pool.store.saveUser({ ...user, resetCode: code })
    const CodeDeliveryDetails = await deliverCode(pool, {
      source: 'CustomMessage_ForgotPassword',
      user,
      to: email,
      code: code.code,
      clientMetadata: ClientMetadata,
    })
    return { CodeDeliveryDetails }
  },
)

export const confirmForgotPassword = openOperation(
  z.object({
    ClientId: z.string(),
    Username: userName,
    ConfirmationCode: mailedCode,
    Password: password,
    ClientMetadata: clientMetadata,
  }),
  async (pool, { ClientId, Username, ConfirmationCode, Password, ClientMetadata }) => {
    requireClient(pool, ClientId)
    const user = pool.store.findUser(Username)
    const key = attemptsKey(Username, user)
    pool.attempts.count('ConfirmForgotPassword', key)
    const replacement = hashNewPassword(pool, user?.sub ?? key, Password)
    const resetCode = user?.resetCode
    if (!user || !resetCode) throw pool.attempts.wasTried('ForgotPassword', key) ? wrongCode() : expiredCode()
    if (resetCode.expiresAt <= Date.now()) throw expiredCode()
    if (!codeMatches(resetCode, ConfirmationCode)) throw wrongCode()
    if (user.disabled) throw userDisabled()
    const { resetCode: _, ...rest } = user
    pool.store.saveUser({ ...rest, password: replacement })
    pool.attempts.forgetFailures(user.sub)
    await afterConfirmation(pool, rest, {
      source: 'PostConfirmation_ConfirmForgotPassword',
      metadata: ClientMetadata,
    })
    return {}
  },
)
