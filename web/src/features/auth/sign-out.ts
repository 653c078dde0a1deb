import { t } from '@lingui/core/macro'
import { ApiError } from '../../lib/api/api-errors.ts'
import { loadConfig } from '../../lib/api/config.ts'
import { toErrorDetails } from '../../lib/api/error-details.ts'
import type { SignedInUser } from '../../lib/api/signed-in-user.ts'
import { pushOwnerKey, readStored } from '../../lib/browser/storage.ts'
import { clearTokens, revokeRefreshToken } from '../../lib/sign-in/store-tokens.ts'
import type { SignOutOptions } from './auth-context.ts'
import {
  buildHostedSignOutUrl,
  hasHostedUi,
  redirectWithToast,
  showToastMessage,
  signedOutMessage,
  type ToastMessage,
} from './hosted-ui.ts'

/** A sign-out does not wait longer for the push service of the browser. */
const maxPushWaitMs = 3_000

/**
 * Removes the tokens in all tabs, revokes the refresh token, and says how that ended.
 * @param onSignedOut called once the tokens are removed, or could not be
 */
export async function signOutUser(
  user: SignedInUser | undefined,
  onSignedOut: () => void,
  { isRevoked = false, toast = signedOutMessage }: SignOutOptions = {},
): Promise<void> {
  const hostedUrl = await getHostedSignOutUrl(user)
  if (!isRevoked) await endPush()
  try {
    const refreshToken = await clearTokens({ isByUser: true }).finally(onSignedOut)
    if (refreshToken !== undefined && !isRevoked) await revokeRefreshToken(refreshToken)
    notify(hostedUrl, toast)
  } catch (error) {
    const description =
      error instanceof ApiError
        ? error.userMessage
        : t`You are signed out in this browser, but the sign-in service could not be reached.`
    notify(hostedUrl, { kind: 'error', title: t`Error`, description, cause: toErrorDetails(error) })
  }
}

/** Ends this browser's push notifications, which needs a token, so before the sign-out. */
async function endPush(): Promise<void> {
  if (readStored('local', pushOwnerKey) === null) return
  const ending = import('../../lib/account/push.ts').then(({ disablePush }) => disablePush())
  await Promise.race([ending, new Promise((resolve) => setTimeout(resolve, maxPushWaitMs))]).catch(
    () => undefined,
  )
}

/** The hosted sign-out page, for users who signed in with an identity provider. */
async function getHostedSignOutUrl(user: SignedInUser | undefined): Promise<string | undefined> {
  if (user?.provider === undefined) return undefined
  const config = await loadConfig().catch(() => undefined)
  return config && hasHostedUi(config) ? buildHostedSignOutUrl(config) : undefined
}

function notify(hostedUrl: string | undefined, toast: ToastMessage | null): void {
  if (hostedUrl !== undefined) redirectWithToast(hostedUrl, toast)
  else if (toast) showToastMessage(toast)
}
