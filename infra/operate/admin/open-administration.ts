import { administration } from '../../../functions/admin/administration.ts'
import { auditEntries } from '../../../functions/admin/audit-entries.ts'
import { wait } from '../../../functions/platform/clock.ts'
import { lastActivity } from '../../../functions/platform/last-activity.ts'
import { groupDirectory } from '../../../functions/admin/group-directory.ts'
import { invitationService } from '../../../functions/admin/invite-people.ts'
import { usageSummary } from '../../../functions/admin/usage-summary.ts'
import { userDirectory } from '../../../functions/admin/user-directory.ts'
import { assistantAudiences } from '../../../functions/assistants/assistant-repository.ts'
import { linkSuspension } from '../../../functions/platform/auth/link-suspension.ts'
import { cognitoFactor } from '../../../functions/mfa/cognito-factor.ts'
import { factorRepository } from '../../../functions/mfa/factor-repository.ts'
import { auditLog, type Actor } from '../../../functions/platform/audit-log.ts'
import { tokenRevoker } from '../../../functions/platform/auth/token-revocation.ts'
import type { Table } from '../../../functions/platform/dynamodb/table.ts'
import { invitationRepository } from '../../../functions/sign-in/invitations.ts'
import type { Deployment } from '../stage.ts'

/** The actor in the log: anyone with the operator's credentials. */
export const operator: Actor = { command: true }

/** The administrators' functions, with the operator's credentials. */
export function openAdministration(deployment: Deployment, table: Table) {
  const { origin, userPoolId, pools } = deployment
  const users = userDirectory(userPoolId, pools, undefined, lastActivity(table).find)
  const groups = groupDirectory({ table, userPoolId, client: pools, users })
  const invitationRows = invitationRepository(table)
  const log = auditLog(table)
  const invitations = invitationService({
    invitationRows,
    users,
    groups,
    loadOrigin: async () => origin,
    // the command prints the link
    sendMail: undefined,
  })
  return {
    deployment,
    table,
    users,
    groups,
    invitations,
    invitationRows,
    log,
    entries: auditEntries(table),
    factors: factorRepository(table),
    cognito: cognitoFactor(userPoolId, pools),
    ...administration({
      users,
      groups,
      invitations,
      invitationRows,
      usage: usageSummary(table),
      log,
      revocation: tokenRevoker(table),
      assistants: assistantAudiences(table),
      links: linkSuspension(table),
      // commands show the groups' limits
      loadDeploymentLimits: async () => ({}),
      sleep: wait,
    }),
  }
}

export type OperatorAdministration = ReturnType<typeof openAdministration>
