import { t } from '@lingui/core/macro'
import { formatConjunction } from '../../../lib/locale.ts'

// oauth-flow.ts

// third-party-sign-in.tsx
export function letServerUse(server: string, hosts: readonly string[]) {
  const list = formatConjunction(hosts)
  return t`Let ${server} use ${list}?`
}
