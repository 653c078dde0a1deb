import { defineSentences } from './to-sentence.ts'

/** Why a tool of a built-in integration did nothing: for the model, and for the user below the call. */
export const capabilitySentences = {
  'none_available.kind': 'There is no {what, name} that this account may use.',
  'which_one.same_name': 'Which {what, name}? {count} have this name. Their ids are {ids}.',
  'which_one.names': 'Which {what, name}? There are {names}.',
  'which_one.unknown': 'There is no {what, name} with this name. There are {names}.',
  'airtable_computed.others':
    'Airtable computes the first field, "{field}". Put the name into one of the other fields: {others}.',
  'airtable_computed.name': 'Airtable computes the first field, "{field}". The name was not written.',
  'event_times.order':
    'The end has to be after the start, or the same day; both have to be times, or both dates.',
  'drive_file_too_large.upload': 'The file is larger than {megabytes} MB.',
  'channel_not_found.too_many': 'The channel is not among the first {count}. Please use its id.',
  'invalid_mail.subject': '"subject" must be one line.',
  'invalid_mail.to_too_long': '"to" is too long.',
} as const

export const sayCapability = defineSentences(capabilitySentences)

/** What the sentences ask for. */
export const capabilityNouns = [
  'audience',
  'base',
  'board',
  'channel',
  'form',
  'list',
  'page',
  'phone number',
  'project',
  'site',
  'table',
  'team',
  'workspace',
] as const
export type CapabilityNoun = (typeof capabilityNouns)[number]
