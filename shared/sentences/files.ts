import { defineSentences } from './to-sentence.ts'

/** Errors of files. */
export const fileSentences = {
  attachment_not_found: 'This file does not exist, or it was deleted.',
  attachment_unfinished: 'This file is not uploaded completely. Please attach it again.',
  upload_missing: 'The upload did not arrive. Please try again.',
  file_differs: 'This file is a program under another name, so it was not attached.',
  'file_too_large.upload': 'This file is too large. Files of this kind may have at most {megabytes} MB.',
  storage_full:
    'Your files, and the texts that you imported, copied or shared, take up {used, decimal} {unit} of {limit, decimal} {unit}, so there is no room for more. Delete some files, conversations or links and try again.',
  'too_many_uploads.none': 'Your account may not upload files. Please ask your administrator.',
  'too_many_uploads.today':
    'You have uploaded as many files as one day allows. Please try again tomorrow, or ask your administrator for more.',
} as const

export const sayFile = defineSentences(fileSentences)
