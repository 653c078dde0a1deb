import { defineSentences } from './to-sentence.ts'

/** What is wrong with what was entered: into the form of a server, and as recipients of a mail. */
export const inputSentences = {
  'form_field.email': 'Enter an e-mail address.',
  'form_field.uri': 'Enter a complete address, such as https://example.com.',
  'form_field.date': 'Enter a date, such as 2026-12-31.',
  'form_field.date-time': 'Enter a date and a time with its zone, such as 2026-12-31T18:30:00Z.',
  'form_field.required': 'Fill in this field.',
  'form_field.text': 'Enter a text.',
  'form_field.too_long': 'Enter at most {max} characters.',
  'form_field.characters_exact': 'Enter exactly {max} characters.',
  'form_field.characters_between': 'Enter {min} to {max} characters.',
  'form_field.characters_min': 'Enter at least {min} characters.',
  'form_field.characters_max': 'Enter at most {max} characters.',
  'form_field.number': 'Enter a number.',
  'form_field.integer': 'Enter a whole number.',
  'form_field.number_exact': 'Enter exactly {max}.',
  'form_field.number_between': 'Enter {min} to {max}.',
  'form_field.number_min': 'Enter at least {min}.',
  'form_field.number_max': 'Enter at most {max}.',
  'form_field.boolean': 'Choose yes or no.',
  'form_field.choice': 'Choose one of the options.',
  'form_field.choices': 'Choose among the options.',
  'form_field.choices_exact': 'Choose exactly {max}.',
  'form_field.choices_between': 'Choose {min} to {max}.',
  'form_field.choices_min': 'Choose at least {min}.',
  'form_field.choices_max': 'Choose at most {max}.',
  'form_field.unknown': 'The form has no such field.',
  'recipients.line': '"to" must be one line.',
  'recipients.quotation': 'A quotation mark has no pair.',
  'recipients.none': 'There is no recipient.',
  'recipients.too_many': 'There are more than {max} recipients.',
  'recipients.address': '"{address}" is no e-mail address.',
} as const

export const sayInput = defineSentences(inputSentences)
