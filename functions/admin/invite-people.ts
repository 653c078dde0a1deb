import { randomBytes } from 'node:crypto'
import type { AdminInvitation } from '#shared/contracts/admin.ts'
import { logger } from '../platform/telemetry/logger.ts'
import {
  hashInvitationSecret,
  invitationId,
  type Invitation,
  type InvitationRepository,
} from '../sign-in/invitations.ts'
import { AccountExists, GroupNotFound, InvitationNotFound } from './errors.ts'
import type { GroupDirectory } from './group-directory.ts'
import type { InvitationMailer } from './invitation-mail.ts'
import type { UserDirectory } from './user-directory.ts'

const daySeconds = 86_400
/** An invitation that is sent again is valid for at least this long. */
const resentDays = 7

interface InviteDeps {
  readonly invitationRows: InvitationRepository
  readonly users: Pick<UserDirectory, 'findByEmail'>
  readonly groups: Pick<GroupDirectory, 'listNames'>
  readonly loadOrigin: () => Promise<string>
  /** undefined where no sender is configured: the link has to be passed on */
  readonly sendMail: InvitationMailer | undefined
}

/** Invitations as administrators see and change them (ADR 0026). */
export const invitationService = ({ invitationRows, users, groups, loadOrigin, sendMail }: InviteDeps) => {
  const buildLink = (origin: string, email: string) =>
    `${origin}/auth?${new URLSearchParams({ invite: '1', email }).toString()}`

  const toAdminInvitation = (
    origin: string,
    { email, ttl, sent_at, groups: names }: Invitation,
  ): AdminInvitation => ({
    id: invitationId(email),
    email,
    groups: names,
    expires_at: new Date(ttl * 1000).toISOString(),
    sent_at,
    link: buildLink(origin, email),
  })

  /** The secret of a mail that is to be sent. Only its hash is stored, so nobody but the mailbox has it. */
  const newSecret = () => {
    const secret = randomBytes(32).toString('base64url')
    return { secret, secret_hash: hashInvitationSecret(secret) }
  }

  /**
   * Sends the mail if there is a sender. An invitation is valid without it. The secret is behind a `#`, so that no log of requests has it.
   * @returns with `sent_at` null if no mail was sent, and without the secret
   */
  async function deliver(
    invitation: Invitation,
    { secret, inviter }: { secret: string; inviter: string | undefined },
  ): Promise<AdminInvitation> {
    const origin = await loadOrigin()
    const withoutMail = { ...invitation, sent_at: null }
    if (!sendMail) return toAdminInvitation(origin, withoutMail)
    const { email, ttl } = invitation
    try {
      const link = `${buildLink(origin, email)}#secret=${secret}`
      await sendMail({ email, link, endsAt: new Date(ttl * 1000), inviter })
    } catch (error) {
      logger.warn('the mail of an invitation could not be sent', { error })
      return toAdminInvitation(origin, withoutMail)
    }
    const sent = { ...invitation, sent_at: new Date().toISOString() }
    // changes nothing if it was revoked or redeemed meanwhile
    await invitationRows.change(email, { sent_at: sent.sent_at })
    return toAdminInvitation(origin, sent)
  }

  async function find(id: string): Promise<Invitation> {
    const found = await invitationRows.find(id, Date.now())
    if (!found) throw new InvitationNotFound(`no invitation ${id}`)
    return found
  }

  /** @throws GroupNotFound */
  async function requireGroups(groupNames: readonly string[]): Promise<void> {
    const known = groupNames.length > 0 ? await groups.listNames() : []
    const unknown = groupNames.find((name) => !known.includes(name))
    if (unknown !== undefined) throw new GroupNotFound(`no group ${unknown}`)
  }

  return {
    find,

    async list(): Promise<AdminInvitation[]> {
      const [origin, found] = await Promise.all([loadOrigin(), invitationRows.list(Date.now())])
      return found.map((one) => toAdminInvitation(origin, one))
    },

    /** @throws AccountExists if somebody has confirmed the address, GroupNotFound */
    async requireInvitable(email: string, groupNames: readonly string[]): Promise<void> {
      if ((await users.findByEmail(email)).some(({ status }) => status !== 'unconfirmed'))
        throw new AccountExists('invite')
      await requireGroups(groupNames)
    },

    requireGroups,

    /** @param inviter the address of the administrator; undefined: an operator */
    async invite(
      { email, days, groups: names }: { email: string; days: number; groups: string[] },
      inviter?: string,
    ): Promise<AdminInvitation> {
      const ttl = Math.floor(Date.now() / 1000) + days * daySeconds
      const invitation = { email, groups: names, sent_at: null, ttl }
      const { secret, secret_hash } = newSecret()
      await invitationRows.save({ ...invitation, ...(sendMail && { secret_hash }) })
      return deliver(invitation, { secret, inviter })
    },

    /** Sends the mail again, and gives the invitation at least seven more days. @throws InvitationNotFound */
    async resend(invitation: Invitation, inviter?: string): Promise<AdminInvitation> {
      const ttl = Math.max(invitation.ttl, Math.floor(Date.now() / 1000) + resentDays * daySeconds)
      const { secret, secret_hash } = newSecret()
      if (!(await invitationRows.change(invitation.email, { ttl, ...(sendMail && { secret_hash }) })))
        throw new InvitationNotFound('revoked or redeemed meanwhile')
      return deliver({ ...invitation, ttl }, { secret, inviter })
    },
  }
}
