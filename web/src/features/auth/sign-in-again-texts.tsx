import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

// sign-in-again-dialog
export const wrongPassword = t`This password is wrong. Please try again.`
export const title = t`Sign in again`
export const description = t`You signed in a while ago. Please confirm that it is you.`
export const continueSignIn = t`Continue`
export const waitingForNextCode = t`Your last code was just used. Waiting for the next one, up to 30 seconds…`
export const signedInAs = (email: string) => (
  <Trans>
    You are signed in as <strong className="font-medium">{email}</strong>.
  </Trans>
)
export const password = t`Password`

// provider-sign-in-dialog
export const continueAt = (label: string) => t`Continue with ${label}`
export const leaveForProvider = (label: string) =>
  t`You sign in with ${label}. You will leave this page for a moment and then come back to it. After that, please try again.`
