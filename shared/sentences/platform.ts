import { defineSentences } from './to-sentence.ts'

/** Errors that any route may have. */
export const platformSentences = {
  body_too_large: 'The request is too large. Please send less at once.',
  not_signed_in: 'User not authenticated',
  invalid_token: 'Your session has expired. Please sign in again.',
  session_ended:
    'You were signed out here because two-factor authentication was switched on. Please sign in again.',
  not_admin: 'Only administrators may do this.',
  'not_allowed.publish': 'Your group may not publish assistants. Please ask an administrator.',
  'not_allowed.share_links':
    'Your group may share conversations only with people here. Please ask an administrator.',
  'not_allowed.upload': 'Your group may not add files. Please ask an administrator.',
  'not_allowed.memory': 'Your group may not use memory. Please ask an administrator.',
  'not_allowed.temporary_chats':
    'Your group may not have temporary chats. Save this chat, or ask an administrator.',
  'not_allowed.schedules': 'Your group may not schedule messages. Please ask an administrator.',
  'not_allowed.web_pages': 'Your group may not read pages of the web. Please ask an administrator.',
  two_factor_required: 'Your account needs two-factor authentication. Please set it up first.',
  own_account: 'This is your own account. Please ask another administrator.',
  user_not_found: 'There is no such account any more.',
  account_service_unavailable:
    'The sign-in service did not answer as it should. Please try again in a moment.',
  recent_sign_in_required: 'Your sign-in is a while ago. Please sign in again to change this.',
  sign_in_again: 'This needs a sign-in from the last 15 minutes. Please sign in again.',
  sign_in_unavailable: 'Your session could not be checked. Please try again in a moment.',
  not_found: 'There is nothing at this address.',
  changed_elsewhere: 'This was changed elsewhere in the meantime. Compare the texts and save again.',
  too_many_requests: 'Too many requests. Please wait {seconds, duration} and try again.',
  internal_error: 'Something went wrong on our side. Please try again.',
  address_forbidden: 'This address cannot be used. It has to be a public https address.',
  outbound_failed: 'The service could not be reached. Please try again in a moment.',
  'outbound_failed.too_large': 'The service answered with more than can be read.',
  store_unavailable: 'Files cannot be reached right now. Please try again in a moment.',
  secrets_unavailable: 'This cannot be done right now. Please try again in a moment.',
  'bad_request.invalid': 'The request is not valid: {problem}.',
  'bad_request.no_body': 'The request has no body.',
  'bad_request.field_forbidden': 'The request has a field that is not allowed: {field}.',
  'bad_request.field_not_unicode': 'The request has a field name that is not valid Unicode.',
  'bad_request.not_utf8': 'The request is not valid UTF-8.',
  'bad_request.too_deep': 'The request is nested too deeply.',
  'bad_request.not_json': 'The request is not valid JSON.',
  'bad_request.list_changed': 'The list has changed. Please begin at its start.',
} as const

export const sayPlatform = defineSentences(platformSentences)
