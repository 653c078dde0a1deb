import { defineErrors } from '../platform/errors.ts'

export const {
  GroupNotFound,
  GroupExists,
  GroupChanged,
  AdminGroupRequired,
  TooManyGroups,
  InvitationNotFound,
  AccountExists,
} = defineErrors({
  GroupNotFound: [404, 'group_not_found', 'There is no such group any more. Please reload the page.'],
  GroupExists: [409, 'group_exists', 'There is a group of this name already.'],
  /** Somebody else has changed the group since it was loaded. */
  GroupChanged: [
    409,
    'group_changed',
    'Somebody else has changed this group. Please look at it again before you save.',
  ],
  AdminGroupRequired: [409, 'admin_group_required', 'The group of administrators cannot be deleted.'],
  TooManyGroups: [409, 'too_many_groups', 'There can be no more groups. Please delete one first.'],
  InvitationNotFound: [
    404,
    'invitation_not_found',
    'There is no such invitation any more. Please invite the person again.',
  ],
  AccountExists: [409, 'account_exists', 'This person has an account already.'],
})
