import { defineSentences } from './to-sentence.ts'

/** Why an integration has to be connected again. */
export const reconnectSentences = {
  'reconnect.moved': '{name} has moved to {host}. Connect again to use it there.',
  'reconnect.key_headers': '{name} now expects its key in a different way. Connect again and enter the key.',
  'reconnect.key_rejected':
    '{host} asks for a key of {name}, or does not accept the one that it has. Enter a key to continue.',
  'reconnect.no_address':
    '{name} was connected with an older version of this app. Connect again to use it at {host}.',
  'reconnect.scopes': '{name} needs more permissions for this. Connect again to grant them.',
  'reconnect.named_scopes': '{name} needs more permissions for this ({scopes}). Connect again to grant them.',
} as const

export const sayReconnect = defineSentences(reconnectSentences)
