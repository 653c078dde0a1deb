/**
 * What is wrong with an input, as the page says it. In English, the checking library says it itself, for people and models: these are the
 * templates of translations.
 */
export const invalidInputSentences = {
  'invalid_inputs.all': '{problems, list}',
  'invalid_input.at': '{field}: {problem}',
  'invalid_input.missing': 'it is missing',
  'invalid_input.type': 'it is of another kind',
  'invalid_input.choice': 'it is none of the possible values',
  'invalid_input.email': '“{value}” is no e-mail address',
  'invalid_input.url': 'it is no complete address',
  'invalid_input.format': 'it does not have the right form',
  'invalid_input.max_characters': 'it has more than {max, number} characters',
  'invalid_input.min_characters': 'it has fewer than {min, number} characters',
  'invalid_input.max_entries': 'it has more than {max, number} entries',
  'invalid_input.min_entries': 'it has fewer than {min, number} entries',
  'invalid_input.max_number': 'it is larger than {max, number}',
  'invalid_input.min_number': 'it is smaller than {min, number}',
  'invalid_input.unknown': 'it has fields that are not known: {fields, list}',
  'invalid_input.schema': 'they are not as the tool describes them',
  'invalid_input.other': 'it cannot be used',
} as const
