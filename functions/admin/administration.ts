import { isDeepStrictEqual } from 'node:util'
import type {
  AdminUserDetails,
  AuditEntry,
  Group,
  GroupChange,
  GroupLimits,
  InvitationResult,
  ListedPerson,
} from '#shared/contracts/admin.ts'
import { adminGroup } from '#shared/user-pool.ts'
import type { AssistantAudiences } from '../assistants/assistant-repository.ts'
import type { Actor, AuditLog } from '../platform/audit-log.ts'
import { getMsToNextSecond, type TokenRevoker } from '../platform/auth/token-revocation.ts'
import { OwnAccount } from '../platform/errors.ts'
import { findLimits } from '#shared/group-limits.ts'
import type { LinkSuspension } from '../platform/auth/link-suspension.ts'
import type { Invitation, InvitationRepository } from '../sign-in/invitations.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { AccountExists, GroupNotFound } from './errors.ts'
import { findListedGroups, inviteEach, toResult, type FoundPerson } from './invite-many.ts'
import { requireDeletable, type GroupDirectory } from './group-directory.ts'
import type { invitationService } from './invite-people.ts'
import type { usageSummary } from './usage-summary.ts'
import type { DirectoryUser, UserDirectory } from './user-directory.ts'

export interface AdministrationDeps {
  readonly users: UserDirectory
  readonly groups: GroupDirectory
  readonly invitations: ReturnType<typeof invitationService>
  readonly invitationRows: Pick<InvitationRepository, 'remove'>
  readonly usage: ReturnType<typeof usageSummary>
  readonly log: AuditLog
  readonly revocation: Pick<TokenRevoker, 'revoke'>
  readonly assistants: Omit<AssistantAudiences, 'listIds'>
  readonly links: LinkSuspension
  /** for users without a group */
  readonly loadDeploymentLimits: () => Promise<GroupLimits>
  readonly sleep: (ms: number) => Promise<unknown>
}

/**
 * What administrators do to users, invitations and groups; the routes and the operator's command share it. Each action checks first,
 * writes its entry into the log, then acts; it can be repeated.
 */
export const administration = (deps: AdministrationDeps) => {
  const { users, groups, invitations, invitationRows, usage, log, revocation, assistants, links, sleep } =
    deps
  const { loadDeploymentLimits } = deps

  async function loadDetails(user: DirectoryUser): Promise<AdminUserDetails> {
    const { username: _, ...details } = user
    const [used, limits, deploymentLimits] = await Promise.all([
      usage.readUser(user.id, Date.now()),
      groups.loadLimits(),
      loadDeploymentLimits(),
    ])
    const names = [...new Set([...user.groups, ...(user.provider_groups ?? [])])]
    return { ...details, usage: used, limits: findLimits(names, limits, deploymentLimits) }
  }

  const readUser = async (id: string): Promise<AdminUserDetails> => loadDetails(await users.find(id))

  /** Revokes the access tokens that an account has; a user who is still signed in gets new ones. */
  async function revokeTokens(id: string, reason: 'signed-out' | 'groups-changed'): Promise<void> {
    const nowMs = Date.now()
    await revocation.revoke(id, reason, nowMs)
    await sleep(getMsToNextSecond(nowMs))
  }

  /** @throws AccountExists, GroupNotFound */
  async function invite(actor: Actor, invitation: { email: string; days: number; groups: string[] }) {
    await invitations.requireInvitable(invitation.email, invitation.groups)
    const { email, days, groups: names } = invitation
    const details = { days, groups: names }
    return log.record({ actor, action: 'invitation.created', target: email, details }, () =>
      invitations.invite(invitation, findInviter(actor)),
    )
  }

  return {
    readUser,

    /** The account cannot sign in any more, its tokens are rejected, and its replies end. @throws OwnAccount */
    async disableUser(actor: Actor, id: string): Promise<AdminUserDetails> {
      requireOtherUser(actor, id)
      const { username, email } = await users.find(id)
      await log.record({ actor, action: 'user.disabled', target: email, details: { user: id } }, async () => {
        await users.disable(username)
        await revocation.revoke(id, 'disabled', Date.now())
        // after the mark: what is being published now is not shown
        await assistants.suspend(id)
        await links.suspend(id)
      })
      return readUser(id)
    },

    /** Lets a disabled account sign in again, and shows its assistants and links again. */
    async enableUser(actor: Actor, id: string): Promise<AdminUserDetails> {
      const { username, email } = await users.find(id)
      await log.record({ actor, action: 'user.enabled', target: email, details: { user: id } }, async () => {
        await users.enable(username)
        await assistants.resume(id)
        await links.resume(id)
      })
      return readUser(id)
    },

    /** Ends all sign-ins of an account; its present access tokens are rejected. */
    async signOutUser(actor: Actor, id: string): Promise<AdminUserDetails> {
      const { username, email } = await users.find(id)
      await log.record(
        { actor, action: 'user.signed_out', target: email, details: { user: id } },
        async () => {
          await users.signOut(username)
          await revokeTokens(id, 'signed-out')
        },
      )
      return readUser(id)
    },

    /**
     * Groups that the change does not name stay as they are. Takes effect at once: tokens that name the former groups are rejected.
     * @throws OwnAccount, GroupNotFound
     */
    async changeGroups(actor: Actor, id: string, { add, remove }: GroupChange): Promise<AdminUserDetails> {
      const user = await users.find(id)
      const added = add.filter((name) => !user.groups.includes(name))
      const removed = remove.filter((name) => user.groups.includes(name))
      if (removed.includes(adminGroup)) requireOtherUser(actor, id)
      const known = added.length > 0 ? await groups.listNames() : []
      const unknown = added.find((name) => !known.includes(name))
      if (unknown !== undefined) throw new GroupNotFound(`no group ${unknown}`)
      const details = { user: id, added, removed }
      await log.record({ actor, action: 'user.groups_changed', target: user.email, details }, async () => {
        await users.changeGroups(user.username, { add: added, remove: removed })
        // also after a repeat with nothing left to change: the first attempt may have failed before this step
        await revokeTokens(id, 'groups-changed')
        await assistants.leaveGroups(id, remove)
      })
      return readUser(id)
    },

    invite,

    /**
     * Invites many people. Each has a result of their own, and one that fails takes no other with it.
     * @param terms `groups` are those of everybody
     * @param requireAllowed throws if the actor may not invite into one of the groups
     * @returns in the order of `people`
     * @throws GroupNotFound, before anybody is invited
     */
    async inviteMany(
      actor: Actor,
      people: readonly ListedPerson[],
      { days, groups: forAll }: { days: number; groups: string[] },
      requireAllowed: (groupNames: readonly string[]) => void,
    ): Promise<InvitationResult[]> {
      await invitations.requireGroups(forAll)
      const namesGroups = people.some(({ groups: own }) => own.length > 0)
      const found = findListedGroups(people, forAll, namesGroups ? await groups.listNames() : [])
      requireAllowed(found.flatMap((person) => person.groups))
      const open = new Set((await invitations.list()).map(({ id }) => id))
      const inviteOne = async ({ email, groups: names }: FoundPerson): Promise<InvitationResult> => {
        try {
          const { sent_at: sentAt } = await invite(actor, { email, days, groups: [...names] })
          return {
            email,
            ...(sentAt === null ? toResult('invited', 'not_mailed') : { status: 'invited' }),
          }
        } catch (error) {
          if (error instanceof AccountExists) return { email, ...toResult('already', 'account_exists') }
          logger.warn('a person of a list could not be invited', { error })
          return { email, ...toResult('invalid', 'not_invited') }
        }
      }
      return inviteEach(found, open, inviteOne)
    },

    /** @throws InvitationNotFound */
    async resendInvitation(actor: Actor, id: string) {
      const found: Invitation = await invitations.find(id)
      return log.record({ actor, action: 'invitation.resent', target: found.email }, () =>
        invitations.resend(found, findInviter(actor)),
      )
    },

    /** @throws InvitationNotFound */
    async revokeInvitation(actor: Actor, id: string): Promise<void> {
      const { email } = await invitations.find(id)
      await log.record({ actor, action: 'invitation.revoked', target: email }, () =>
        invitationRows.remove(id),
      )
    },

    /** @throws GroupExists, TooManyGroups */
    async createGroup(
      actor: Actor,
      { name, ...described }: Pick<Group, 'name' | 'description' | 'limits'>,
    ): Promise<Group> {
      await groups.requireNew(name)
      const details = describeLimits(described.limits)
      return log.record({ actor, action: 'group.created', target: name, details }, async () => {
        // what former members of a deleted group of this name have published with tokens that still named it
        await assistants.removeGroup(name)
        return groups.create(name, described)
      })
    },

    /** @throws GroupNotFound, GroupChanged */
    async updateGroup(
      actor: Actor,
      name: string,
      change: { version: number; description?: string | undefined; limits?: GroupLimits | undefined },
    ): Promise<Group> {
      const before = await groups.find(name)
      const changed = [
        ...(change.description !== undefined && change.description !== before.description
          ? ['description']
          : []),
        ...(change.limits && !isDeepStrictEqual(change.limits, before.limits) ? ['limits'] : []),
      ]
      const details = { ...describeLimits(change.limits ?? {}), changed }
      return log.record({ actor, action: 'group.updated', target: name, details }, () =>
        groups.update(name, change),
      )
    },

    /** @throws AdminGroupRequired */
    async deleteGroup(actor: Actor, name: string): Promise<void> {
      requireDeletable(name)
      await log.record({ actor, action: 'group.deleted', target: name }, async () => {
        await groups.remove(name)
        await assistants.removeGroup(name)
      })
    },
  }
}

/** Who invites, for the mail. @returns undefined for the command of an operator */
const findInviter = (actor: Actor): string | undefined => ('email' in actor ? actor.email : undefined)

function requireOtherUser(actor: Actor, id: string): void {
  if ('id' in actor && actor.id === id) throw new OwnAccount(`administrator ${id}`)
}

function describeLimits(limits: GroupLimits): AuditEntry['details'] {
  const details: AuditEntry['details'] = {}
  for (const [name, value] of Object.entries(limits)) if (value !== undefined) details[name] = value
  return details
}
