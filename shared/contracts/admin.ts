import * as z from 'zod'
import { groupName, newGroupName } from '#shared/contracts/group-name.ts'
import { coded } from '#shared/sentences/sentence.ts'
import { eraseResponse } from '#shared/contracts/account.ts'
import { feedback } from '#shared/contracts/messages.ts'
import { success } from '#shared/contracts/success.ts'
import { maxSchedules } from '#shared/limits.ts'
import { usageTotals } from '#shared/contracts/usage.ts'

/** `catalogue`: no servers of the user's own; `built_in`: no remote servers at all. */
export const toolsAllowed = z.enum(['all', 'catalogue', 'built_in', 'none'])
export type ToolsAllowed = z.infer<typeof toolsAllowed>

const amount = z.number().int().min(0).max(1e12)
const usd = z.number().min(0).max(1e9)

/** What the members of a group may use. Absent: what the deployment allows. 0: nothing at all. Costs in USD, days in UTC. */
export const groupLimits = z.strictObject({
  /** ids of the models that members may choose; absent: all */
  models: z.array(z.string().min(1).max(200)).max(50).optional(),
  tokens_per_day: amount.optional(),
  tokens_per_month: amount.optional(),
  cost_per_day: usd.optional(),
  cost_per_month: usd.optional(),
  images_per_day: amount.optional(),
  uploads_per_day: amount.optional(),
  storage_gb: z.number().min(0).max(1e6).optional(),
  tools: toolsAllowed.optional(),
  require_two_factor: z.boolean().optional(),
  // rights: absent is allowed
  /** publishing assistants */
  publish: z.boolean().optional(),
  /** links to conversations for people outside */
  share_links: z.boolean().optional(),
  /** new files, by whatever way */
  upload: z.boolean().optional(),
  memory: z.boolean().optional(),
  /** chats that are not saved */
  temporary_chats: z.boolean().optional(),
  /** messages that are sent by themselves; how many of them a member may have */
  schedules: z.boolean().optional(),
  max_schedules: z.number().int().min(0).max(maxSchedules).optional(),
  /** pages of the web that replies read and search */
  web_pages: z.boolean().optional(),
})
export type GroupLimits = z.infer<typeof groupLimits>

const groupNames = z
  .array(groupName)
  .max(20)
  .transform((names) => [...new Set(names)].toSorted())
/** Not the new list: that would undo what somebody else has changed meanwhile. */
const groupChange = z
  .strictObject({ add: groupNames, remove: groupNames })
  .refine(({ add, remove }) => !add.some((name) => remove.includes(name)), 'adds and removes the same group')
export type GroupChange = z.infer<typeof groupChange>
const groupDescription = z.string().trim().max(500)

export const group = z.object({
  name: z.string(),
  description: z.string(),
  limits: groupLimits,
  /** null: more than are counted */
  members: z.number().int().nullable(),
  /** version of the description and the limits; a change names the version that it is based on */
  version: z.number().int(),
})
export type Group = z.infer<typeof group>

export const adminUser = z.object({
  /** the `sub` */
  id: z.string(),
  /** the hash by which logs and `npm run usage` name them; absent in earlier releases */
  log_id: z.string().optional(),
  email: z.string(),
  name: z.string(),
  status: z.enum(['active', 'unconfirmed', 'disabled', 'reset_required']),
  /** `password`, or the name of the identity provider */
  sign_in: z.string(),
  groups: z.array(z.string()),
  /** those that the identity provider names at each sign-in, and nobody can change here; absent: none */
  provider_groups: z.array(z.string()).optional(),
  two_factor: z.boolean(),
  created_at: z.string(),
  /** the hour in which a page or a client of theirs was last active; absent: not known */
  last_active_at: z.string().optional(),
})
export type AdminUser = z.infer<typeof adminUser>

const periodUsage = usageTotals.extend({ replies: z.number().int().nonnegative() })

export const adminUserDetails = adminUser.extend({
  usage: z.object({ today: periodUsage, month: periodUsage }),
  /** those in force, of all groups of the user */
  limits: groupLimits,
})
export type AdminUserDetails = z.infer<typeof adminUserDetails>

export const invitation = z.object({
  /** a hash of the address */
  id: z.string(),
  email: z.string(),
  /** those that the account gets */
  groups: z.array(z.string()),
  expires_at: z.string(),
  /** null: no mail was sent; the link has to be passed on */
  sent_at: z.string().nullable(),
  /** where the person signs up; worth nothing without the mailbox */
  link: z.string(),
})
export type AdminInvitation = z.infer<typeof invitation>

export const auditActions = [
  'user.disabled',
  'user.enabled',
  'user.signed_out',
  'user.two_factor_reset',
  'user.groups_changed',
  'user.deletion_started',
  'user.deleted',
  'invitation.created',
  'invitation.resent',
  'invitation.revoked',
  'group.created',
  'group.updated',
  'group.deleted',
  'assistant.published',
  'assistant.withdrawn',
  'site.updated',
  'schedules.paused',
  'schedules.resumed',
] as const
export type AuditAction = (typeof auditActions)[number]

export const auditEntry = z.object({
  id: z.string(),
  at: z.string(),
  /** an administrator, or the command of an operator */
  actor: z.union([z.object({ id: z.string(), email: z.string() }), z.object({ command: z.literal(true) })]),
  action: z.enum(auditActions),
  /** an e-mail address, the name of a group, or the hash in the logs of a user who was erased */
  target: z.string(),
  details: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
    .optional(),
})
export type AuditEntry = z.infer<typeof auditEntry>

const userUsage = periodUsage.extend({ id: z.string(), email: z.string(), groups: z.array(z.string()) })
/** A user in several groups counts in each. */
const groupUsage = periodUsage.extend({ name: z.string(), users: z.number().int() })

export const adminUsage = z.object({
  /** `2026-11`, UTC */
  month: z.string(),
  users: z.array(userUsage),
  groups: z.array(groupUsage),
  total: periodUsage,
})
export type AdminUsage = z.infer<typeof adminUsage>

/** Ratings of replies that exist: with a reply, its conversation or the account, the rating is deleted. */
const ratedBy = {
  /** the server's name of the model */
  model: z.string(),
  /** of whom the reply was, as it was called when it was rated; absent without an assistant */
  assistant: z.object({ id: z.string(), name: z.string() }).optional(),
}
export const adminFeedback = z.object({
  /** in which the ratings were given: `2026-11`, UTC */
  month: z.string(),
  counts: z.array(z.object({ ...ratedBy, up: z.number().int(), down: z.number().int() })),
  /** texts that their users let administrators read, newest first */
  texts: z.array(
    z.object({
      ...ratedBy,
      rating: feedback.shape.rating,
      text: z.string(),
      at: z.string(),
      /** only if the user chose so */
      email: z.string().optional(),
    }),
  ),
  /** how many older texts of the month are not in the list */
  older_texts: z.number().int(),
})
export type AdminFeedback = z.infer<typeof adminFeedback>

const month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/)
export const cursor = z.string().min(1).max(4096)
const userResponse = z.object({ user: adminUserDetails })
const invitationResponse = z.object({ invitation })
const groupResponse = z.object({ group })

export const maxInvitationDays = 90
export const maxInvitedAtOnce = 500

export const emailAddress = z.string().trim().pipe(z.email().max(128))

export const invitationResult = z.object({
  /** as it was sent, without blanks around it */
  email: z.string(),
  /** `already`: has an account, an invitation, or stood earlier in the list */
  status: z.enum(['invited', 'already', 'invalid']),
  /** why there is no invitation, or none was mailed, and its code */
  error: z.string().optional(),
  code: coded.shape.code.optional(),
  params: coded.shape.params,
})
export type InvitationResult = z.infer<typeof invitationResult>

/** A line of a list, or a cell of a column: one that is no address has a result like the others. */
const listedAddress = z.string().max(1_000)
const listedPerson = z.strictObject({
  email: listedAddress,
  /** besides those of all; names that no group has are told in the result */
  groups: z.array(z.string().max(1_000)).max(20).default([]),
})
export type ListedPerson = z.infer<typeof listedPerson>

/** The address of the account, against deletion by mistake. */
export const deleteUserRequest = z.strictObject({ confirm: z.string().min(1).max(254) })

export const adminContracts = {
  'admin.users': {
    /** `query`: how the e-mail address begins */
    query: z.object({ query: z.string().trim().max(254).optional(), cursor: cursor.optional() }),
    response: z.object({ users: z.array(adminUser), next_cursor: z.string().nullable() }),
  },
  'admin.user': { response: userResponse },
  'admin.disableUser': { response: userResponse },
  'admin.enableUser': { response: userResponse },
  'admin.signOutUser': { response: userResponse },
  'admin.setGroups': { request: groupChange, response: userResponse },

  'admin.invitations': { response: z.object({ invitations: z.array(invitation) }) },
  /** Invites one person (`email`), or many (`emails`, or `people` with groups of their own), each of whom has a result. */
  'admin.invite': {
    request: z
      .strictObject({
        email: emailAddress.optional(),
        emails: z.array(listedAddress).min(1).max(maxInvitedAtOnce).optional(),
        people: z.array(listedPerson).min(1).max(maxInvitedAtOnce).optional(),
        days: z.number().int().min(1).max(maxInvitationDays).default(7),
        groups: groupNames.default([]),
      })
      .refine(
        ({ email, emails, people }) =>
          [email, emails, people].filter((whom) => whom !== undefined).length === 1,
        { error: 'takes either email, emails or people' },
      ),
    response: z.object({
      /** of `email` */
      invitation: invitation.optional(),
      /** of `emails` or `people`, in their order */
      results: z.array(invitationResult).optional(),
    }),
  },
  'admin.resendInvitation': { response: invitationResponse },
  'admin.revokeInvitation': { response: success },

  'admin.groups': { response: z.object({ groups: z.array(group) }) },
  'admin.createGroup': {
    request: z.strictObject({
      name: newGroupName,
      description: groupDescription.default(''),
      limits: groupLimits.default({}),
    }),
    response: groupResponse,
  },
  'admin.updateGroup': {
    /** absent fields stay as they are; `limits` replaces all of them */
    request: z.strictObject({
      description: groupDescription.optional(),
      limits: groupLimits.optional(),
      version: z.number().int(),
    }),
    response: groupResponse,
  },
  'admin.deleteGroup': { response: success },

  'admin.usage': { query: z.object({ month: month.optional() }), response: adminUsage },
  'admin.feedback': { query: z.object({ month: month.optional() }), response: adminFeedback },
  'admin.audit': {
    query: z.object({ cursor: cursor.optional() }),
    response: z.object({ entries: z.array(auditEntry), next_cursor: z.string().nullable() }),
  },
} as const

/** The operator's OAuth apps at providers: which integrations have one. Nothing of an app itself is in it. */
export const providerApps = z.object({
  /** why the apps could not be read; null: they were, or the operator has named none */
  problem: z.enum(['unreadable', 'invalid']).nullable(),
  /** the built-in integrations whose providers take an app */
  integrations: z.array(z.object({ id: z.string(), name: z.string(), has_app: z.boolean() })),
  /** ids in the operator's list that none of them has: their apps are not used */
  unknown: z.array(z.string()),
})
export type ProviderApps = z.infer<typeof providerApps>

/** Of the function 'registry', which alone of those may read the apps. */
export const adminAppContracts = {
  'admin.providerApps': { response: providerApps },
} as const

/** Of the function 'mfa', which alone reaches the rows of second factors. */
export const adminFactorContracts = {
  'admin.resetTwoFactor': { response: success },
} as const

/** Of the function 'account', which alone may erase what people store. */
export const adminErasureContracts = {
  'admin.deleteUser': { request: deleteUserRequest, response: eraseResponse },
} as const
