import { AppError } from '../platform/errors.ts'

export class GroupNotFound extends AppError {
  readonly code = 'group_not_found'
  readonly status = 404
  readonly userMessage = 'There is no such group any more. Please reload the page.'
}

export class GroupExists extends AppError {
  readonly code = 'group_exists'
  readonly status = 409
  readonly userMessage = 'There is a group of this name already.'
}

/** Somebody else has changed the group since it was loaded. */
export class GroupChanged extends AppError {
  readonly code = 'group_changed'
  readonly status = 409
  readonly userMessage = 'Somebody else has changed this group. Please look at it again before you save.'
}

export class AdminGroupRequired extends AppError {
  readonly code = 'admin_group_required'
  readonly status = 409
  readonly userMessage = 'The group of administrators cannot be deleted.'
}

export class TooManyGroups extends AppError {
  readonly code = 'too_many_groups'
  readonly status = 409
  readonly userMessage = 'There can be no more groups. Please delete one first.'
}

export class InvitationNotFound extends AppError {
  readonly code = 'invitation_not_found'
  readonly status = 404
  readonly userMessage = 'There is no such invitation any more. Please invite the person again.'
}

export class AccountExists extends AppError {
  readonly code = 'account_exists'
  readonly status = 409
  readonly userMessage = 'This person has an account already.'
}
