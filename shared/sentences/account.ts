import { defineSentences } from './to-sentence.ts'

/** Errors of the account, its second factor and its settings. */
export const accountSentences = {
  picture_not_found: 'This picture is not there any more. Please choose it again.',
  not_a_picture: 'This is not a picture that can be used. Please choose another one.',
  export_unfinished:
    'Your data could not be put together in the time available. Please try again, or delete files that you no longer need.',
  too_many_exports:
    'You have exported your data as often as one day allows. Please try again {seconds, wait}.',
  'bad_request.other_address': 'This is not the e-mail address of the account.',
  'bad_request.address_first': 'Please enter your e-mail address first.',
  'bad_request.empty_memory': 'The memory is empty.',
  'bad_request.push_keys': 'The keys are not those of a browser’s push subscription.',
  memory_not_found: 'This memory does not exist any more.',
  memory_changed: 'This memory was changed elsewhere in the meantime. Compare the texts and save again.',
  too_many_memories: 'The memory is full: it has room for {max} entries. Delete some first.',
  code_missing: 'Please enter a verification code.',
  invalid_code: 'Invalid verification code. Please try again.',
  two_factor_already_on: 'Two-factor authentication is already on. Disable it before you set it up again.',
  enrolment_missing: 'This set-up is no longer open. Please start it again.',
  not_set_up_here: 'Two-factor authentication is not set up here. Please set it up again.',
  'federated_account.own':
    'You sign in with an identity provider, so your second step is set in your account there.',
  'federated_account.other':
    'This person signs in through another provider, which handles their second factor.',
  proof_required: 'Please enter a current code, or sign in again, to change this.',
  email_not_confirmed:
    'Your e-mail address is not confirmed, so two-factor authentication cannot be set up. Please contact support.',
  two_factor_unavailable: 'The sign-in service did not answer as it should. Please try again in a moment.',
  two_factor_locked: 'Too many attempts. Please wait {seconds, duration} and try again.',
} as const

export const sayAccount = defineSentences(accountSentences)
