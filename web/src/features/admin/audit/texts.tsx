import type { ReactNode } from 'react'
import type { AuditAction } from '#shared/contracts/admin.ts'

export const log = 'Audit log'
export const logHint =
  'What administrators and operators have done, newest first. Nobody can change it; entries are stored for 400 days.'
export const loading = 'Loading the log'
export const empty = 'Nothing yet. Each action of an administrator is listed here.'
export const command = 'An operator, by command'

/** The sentence of an entry. */
export const sentences: Record<AuditAction, (actor: ReactNode, target: ReactNode) => ReactNode> = {
  'user.disabled': (actor, target) => (
    <>
      {actor} disabled {target}
    </>
  ),
  'user.enabled': (actor, target) => (
    <>
      {actor} enabled {target}
    </>
  ),
  'user.signed_out': (actor, target) => (
    <>
      {actor} signed out {target} everywhere
    </>
  ),
  'user.two_factor_reset': (actor, target) => (
    <>
      {actor} reset two-factor of {target}
    </>
  ),
  'user.groups_changed': (actor, target) => (
    <>
      {actor} changed the groups of {target}
    </>
  ),
  'user.deletion_started': (actor, target) => (
    <>
      {actor} began to delete the account {target}
    </>
  ),
  'user.deleted': (actor, target) => (
    <>
      {actor} deleted the account {target}
    </>
  ),
  'invitation.created': (actor, target) => (
    <>
      {actor} invited {target}
    </>
  ),
  'invitation.resent': (actor, target) => (
    <>
      {actor} sent the invitation of {target} again
    </>
  ),
  'invitation.revoked': (actor, target) => (
    <>
      {actor} revoked the invitation of {target}
    </>
  ),
  'group.created': (actor, target) => (
    <>
      {actor} created the group {target}
    </>
  ),
  'group.updated': (actor, target) => (
    <>
      {actor} changed the group {target}
    </>
  ),
  'group.deleted': (actor, target) => (
    <>
      {actor} deleted the group {target}
    </>
  ),
}
export const unknownAction = (actor: ReactNode, target: ReactNode, action: string) => (
  <>
    {actor} did {action} to {target}
  </>
)
export const yes = 'yes'
export const no = 'no'
export const detail = (name: string, value: string) => `${name}: ${value}`
