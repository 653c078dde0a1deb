import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { AuditAction } from '#shared/contracts/admin.ts'

export const log = t`Audit log`
export const logHint = t`What administrators and operators have done, newest first. The product has no way to change it; entries are stored for 400 days.`
export const loading = t`Loading the log`
export const empty = t`Nothing yet. Each action of an administrator is listed here.`
export const command = t`An operator, by command`

/** The sentence of an entry. */
export const sentences: Record<AuditAction, (actor: ReactNode, target: ReactNode) => ReactNode> = {
  'user.disabled': (actor, target) => (
    <Trans>
      {actor} disabled {target}
    </Trans>
  ),
  'user.enabled': (actor, target) => (
    <Trans>
      {actor} enabled {target}
    </Trans>
  ),
  'user.signed_out': (actor, target) => (
    <Trans>
      {actor} signed out {target} everywhere
    </Trans>
  ),
  'user.two_factor_reset': (actor, target) => (
    <Trans>
      {actor} reset two-factor of {target}
    </Trans>
  ),
  'user.groups_changed': (actor, target) => (
    <Trans>
      {actor} changed the groups of {target}
    </Trans>
  ),
  'user.deletion_started': (actor, target) => (
    <Trans>
      {actor} began to delete the account {target}
    </Trans>
  ),
  'user.deleted': (actor, target) => (
    <Trans>
      {actor} deleted the account {target}
    </Trans>
  ),
  'invitation.created': (actor, target) => (
    <Trans>
      {actor} invited {target}
    </Trans>
  ),
  'invitation.resent': (actor, target) => (
    <Trans>
      {actor} sent the invitation of {target} again
    </Trans>
  ),
  'invitation.revoked': (actor, target) => (
    <Trans>
      {actor} revoked the invitation of {target}
    </Trans>
  ),
  'group.created': (actor, target) => (
    <Trans>
      {actor} created the group {target}
    </Trans>
  ),
  'group.updated': (actor, target) => (
    <Trans>
      {actor} changed the group {target}
    </Trans>
  ),
  'group.deleted': (actor, target) => (
    <Trans>
      {actor} deleted the group {target}
    </Trans>
  ),
}
export const unknownAction = (actor: ReactNode, target: ReactNode, action: string) => (
  <Trans>
    {actor} did {action} to {target}
  </Trans>
)
export const yes = t`yes`
export const no = t`no`
/** By the names of the details. */
export const detailNames = {
  user: t`User ID`,
  added: t`Added`,
  removed: t`Removed`,
  groups: t`Groups`,
  changed: t`Changed`,
  failed: t`Failed`,
  backups_end_at: t`Backups end`,
}
export const validFor = (days: number) => plural(days, { one: 'Valid for # day', other: 'Valid for # days' })
export const changedFields = { description: t`Description`, limits: t`Limits` }
export const detail = (name: string, value: string) => t`${name}: ${value}`
