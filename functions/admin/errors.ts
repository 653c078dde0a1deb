import { adminSentences } from '#shared/sentences/admin.ts'
import { defineErrors } from '../platform/errors.ts'

export const {
  GroupNotFound,
  GroupExists,
  GroupChanged,
  AdminGroupRequired,
  TooManyGroups,
  InvitationNotFound,
  AccountExists,
  UnknownModel,
  TooManyAccounts,
} = defineErrors(adminSentences, {
  GroupNotFound: [404, 'group_not_found'],
  GroupExists: [409, 'group_exists'],
  /** Somebody else has changed the group since it was loaded. */
  GroupChanged: [409, 'group_changed'],
  AdminGroupRequired: [409, 'admin_group_required'],
  TooManyGroups: [409, 'too_many_groups'],
  InvitationNotFound: [404, 'invitation_not_found'],
  AccountExists: [409, 'account_exists'],
  /** The deployment does not offer the model. */
  UnknownModel: [400, 'unknown_model'],
  /** What is read of every account was not read in time. */
  TooManyAccounts: [409, 'too_many_accounts'],
})
