import { t } from '@lingui/core/macro'
import { formatConjunction } from '../../../lib/locale.ts'

// oauth-flow.ts
export const noAuthorizationUrl = t`No authorization URL received`
export const unsafeAddress = t`The provider’s address is not safe to open.`
export const notCompleted = t`Failed to complete connection. Please try again.`
export const connected = t`Integration Connected`
export const connectedHint = t`Successfully connected to the integration`

// third-party-sign-in.tsx
export const beforeSignIn = t`Before you sign in`
export function letServerUse(server: string, hosts: readonly string[]) {
  const list = formatConjunction(hosts)
  return t`Let ${server} use ${list}?`
}
export const continueHint = t`Continue only if you know that they belong together.`
export const continueSignIn = t`Continue`
