import { defineSentences } from './to-sentence.ts'

/** What was read of a document, why it cannot be read, and errors of the tables in it. */
export const documentSentences = {
  'unreadable.word':
    'The Word document could not be read. The file may be corrupted, password-protected or have unsupported formatting.',
  'unreadable.pdf': 'The PDF could not be read. The file may be corrupted or password-protected.',
  'unreadable.sheet':
    'The spreadsheet could not be read. The file may be corrupted, password-protected or have unsupported formatting.',
  'unreadable.slides':
    'The presentation could not be read. The file may be corrupted, password-protected or have unsupported formatting.',
  'unreadable.openDocument':
    'The OpenDocument file could not be read. The file may be corrupted, password-protected or have unsupported formatting.',
  'unreadable.mail': 'The e-mail message could not be read. The file may be damaged.',
  'unreadable.book': 'The e-book could not be read. The file may be damaged or protected against copying.',
  'unreadable.format': 'File format not supported. Supported are {formats}.',
  'unsupported.format': 'File format not supported. Supported are {formats}.',
  'unsupported.archive': 'An archive cannot be read. Please unpack it and attach the files in it.',
  'unsupported.encrypted':
    'This file is protected with a password. Please remove the password and attach it again.',
  'unsupported.iwork':
    'Documents of Pages, Numbers and Keynote cannot be read. Please export it as .docx, .xlsx, .pptx or .pdf.',
  'unsupported.oldSheet':
    'Spreadsheets in this older or binary format cannot be read. Please save it as .xlsx.',
  'unsupported.oldSlides': 'Presentations in this older format cannot be read. Please save it as .pptx.',
  'unsupported.oldWord': 'Word documents in this older format cannot be read. Please save it as .docx.',
  'unsupported.outlook': 'Messages in the format of Outlook cannot be read. Please save it as .eml.',
  inaccessible: 'Unable to access the file. It may have been deleted or moved.',
  file_inaccessible: 'Unable to access the file. It may have been deleted or moved.',
  'no_content.empty': 'No meaningful content could be extracted from this document. It may be empty.',
  'no_content.scanned':
    'No meaningful content could be extracted from this document. Its pages have no text: it may be scanned.',
  'no_content.but': 'No meaningful content could be extracted from this document: {omissions}.',
  too_large:
    'Document analysis failed for {name}: This document unpacks to more than can be read safely. Please divide it, or save a spreadsheet as CSV.',
  too_slow: 'Document analysis failed for {name}: This document took too long to read.',
  unavailable:
    'This file could not be read, though it was tried several times. Attach it again to try once more.',
  documents_unavailable: 'Documents cannot be read right now. Please try again in a moment.',
  still_reading: 'This document is still being read. Please ask again in a moment.',
  too_many_results_today:
    'You have downloaded as many results of queries as one day allows. Please try again tomorrow.',
  table_file_gone: 'The file of this table is deleted. What is shown here is all that is left of the result.',
  query_failed: 'This query could not be run again. Ask for the result once more.',
  other_user: 'You can only analyse your own files.',
  read_in_full: 'read in full',
  'read_in_full.pages': '{pages, plural, one {all # page} other {all # pages}}',
  'read_in_part.pages': 'the first {read, number} of {pages, number} pages',
  'read_in_part.characters': 'the first {read, number} of {characters, number} characters',
  'read_in_part.time': 'reading took too long and ended before the end of the file',
  'pages_without_text.one': 'page {pages, list} has no text, it may be scanned',
  'pages_without_text.several': 'pages {pages, list} have no text, they may be scanned',
  'pages_garbled.one': 'page {pages, list} has text in an unknown encoding',
  'pages_garbled.several': 'pages {pages, list} have text in an unknown encoding',
  'pages_plain.one': 'page {pages, list} is given in reading order, without its layout',
  'pages_plain.several': 'pages {pages, list} are given in reading order, without their layout',
  more_pages: '{count, plural, one {# more} other {# more}}',
  'not_read.one': '{things, list} was not read',
  'not_read.several': '{things, list} were not read',
  marked_hidden:
    '{count, plural, one {# hidden part is marked as hidden} other {# hidden parts are marked as hidden}}',
  encoding_guessed: 'read as {encoding}, which is a guess',
  'omitted.attachments': '{count, plural, one {# attached file} other {# attached files}}',
  'omitted.charts': '{count, plural, one {# chart} other {# charts}}',
  'omitted.chartValues': '{count, plural, one {# value of a chart} other {# values of charts}}',
  'omitted.damagedCharacters': '{count, plural, one {# damaged character} other {# damaged characters}}',
  'omitted.diagrams': '{count, plural, one {# diagram} other {# diagrams}}',
  'omitted.embedded': '{count, plural, one {# embedded object} other {# embedded objects}}',
  'omitted.forms': '{count, plural, one {# form} other {# forms}}',
  'omitted.formulas': '{count, plural, one {# formula} other {# formulas}}',
  'omitted.garbled':
    '{count, plural, one {# page in an unknown encoding} other {# pages in an unknown encoding}}',
  'omitted.hidden': '{count, plural, one {# hidden part} other {# hidden parts}}',
  'omitted.links': '{count, plural, one {# link} other {# links}}',
  'omitted.macros': '{count, plural, one {# macro project} other {# macro projects}}',
  'omitted.media': '{count, plural, one {# sound or film} other {# sounds and films}}',
  'omitted.messages': '{count, plural, one {# message} other {# messages}}',
  'omitted.outputs': '{count, plural, one {# output} other {# outputs}}',
  'omitted.parts': '{count, plural, one {# damaged part} other {# damaged parts}}',
  'omitted.pictures': '{count, plural, one {# picture} other {# pictures}}',
  'omitted.rows': '{count, plural, one {# repeated row} other {# repeated rows}}',
  'omitted.scans': '{count, plural, one {# page without text} other {# pages without text}}',
  'omitted.scripts': '{count, plural, one {# script} other {# scripts}}',
  'omitted.stamps': '{count, plural, one {# stamp} other {# stamps}}',
  'omitted.styles': '{count, plural, one {# style sheet} other {# style sheets}}',
  'omitted.unfinished': '{count, plural, one {# rest of an attached file} other {# rests of attached files}}',
  'omitted.unknown': '{count, plural, one {# unknown element} other {# unknown elements}}',
} as const

export const sayDocument = defineSentences(documentSentences)

type Omitted = Extract<keyof typeof documentSentences, `omitted.${string}`>
/** What a reader may leave out. It counts all that it knows to be in the file and not in the text. */
export type OmissionKind = Omitted extends `omitted.${infer Kind}` ? Kind : never
export const omissionKinds = Object.keys(documentSentences)
  .filter((id) => id.startsWith('omitted.'))
  .map((id) => id.slice('omitted.'.length)) as OmissionKind[]
