import { defineSentences } from './to-sentence.ts'

/** Errors of the administration. */
export const adminSentences = {
  group_not_found: 'There is no such group any more. Please reload the page.',
  group_exists: 'There is a group of this name already.',
  group_changed: 'Somebody else has changed this group. Please look at it again before you save.',
  admin_group_required: 'The group of administrators cannot be deleted.',
  too_many_groups: 'There can be no more groups. Please delete one first.',
  invitation_not_found: 'There is no such invitation any more. Please invite the person again.',
  account_exists: 'This person has an account already.',
  unknown_model: 'This installation does not offer this model. Please choose another one.',
  unknown_group: 'There is no group “{name}”.',
  no_address: 'This is not an e-mail address.',
  invited_already: 'This person is invited already.',
  repeated_address: 'This address is in the list more than once.',
  not_mailed: 'No e-mail was sent. Please pass the link on.',
  too_many_accounts: 'Not all accounts could be read in time.',
  not_invited: 'This person could not be invited. Please try again.',
  mcp_not_found: 'MCP with ID {id} not found',
} as const

export const sayAdmin = defineSentences(adminSentences)
