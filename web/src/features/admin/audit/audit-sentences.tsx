import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { AuditAction } from '#shared/contracts/admin.ts'

/** The sentence of an entry of the audit log, by its action. */
export const auditSentences: Record<AuditAction, (actor: ReactNode, target: ReactNode) => ReactNode> = {
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
  'assistant.published': (actor, target) => (
    <Trans>
      {actor} published the assistant {target}
    </Trans>
  ),
  'assistant.withdrawn': (actor, target) => (
    <Trans>
      {actor} withdrew the assistant {target}
    </Trans>
  ),
  'site.updated': (actor) => <Trans>{actor} changed the settings of the site</Trans>,
  'schedules.paused': (actor, target) => (
    <Trans>
      {actor} paused the schedules of {target}
    </Trans>
  ),
  'schedules.resumed': (actor, target) => (
    <Trans>
      {actor} let the schedules of {target} go on
    </Trans>
  ),
}
