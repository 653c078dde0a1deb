import { defineSentences } from './to-sentence.ts'

/** Why what a server asks the user for is not shown. */
export const serverRequestSentences = {
  'request_not_shown.too_many': 'it asks for too much at once',
  'request_not_shown.name': 'a request has a name that cannot be used',
  'request_not_shown.state': 'the state that it wants back is too long',
  'request_not_shown.kind': 'it is neither a flat form nor a web page',
  'request_not_shown.fields': 'it has more than {max} fields',
  'request_not_shown.field_name': 'a field has a name that cannot be shown',
  'request_not_shown.field_type': 'the field "{field}" has a type that forms do not have',
  'request_not_shown.field_range': 'nothing can be entered into the field "{field}"',
  'request_not_shown.secret': 'the field "{field}" asks for a secret. No secrets in forms',
  'request_not_shown.address': 'the address of its page is not valid',
  'request_not_shown.private_address': 'the address of its page is not a public https address',
} as const

export const sayServerRequest = defineSentences(serverRequestSentences)
export type RequestProblem = ReturnType<typeof sayServerRequest>
