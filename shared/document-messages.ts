import { supportedFormats } from './document-formats.ts'

/** Sentences for documents that cannot be read; the specification quotes them, with fewer formats. */
export const documentMessages = {
  word: 'The Word document could not be read. The file may be corrupted, password-protected or have unsupported formatting.',
  pdf: 'The PDF could not be read. The file may be corrupted or password-protected.',
  sheet:
    'The spreadsheet could not be read. The file may be corrupted, password-protected or have unsupported formatting.',
  slides:
    'The presentation could not be read. The file may be corrupted, password-protected or have unsupported formatting.',
  openDocument:
    'The OpenDocument file could not be read. The file may be corrupted, password-protected or have unsupported formatting.',
  mail: 'The e-mail message could not be read. The file may be damaged.',
  unsupported: `File format not supported. Supported are ${supportedFormats}.`,
  book: 'The e-book could not be read. The file may be damaged or protected against copying.',
  archive: 'An archive cannot be read. Please unpack it and attach the files in it.',
  encrypted: 'This file is protected with a password. Please remove the password and attach it again.',
  iwork:
    'Documents of Pages, Numbers and Keynote cannot be read. Please export it as .docx, .xlsx, .pptx or .pdf.',
  oldSheet: 'Spreadsheets in this older or binary format cannot be read. Please save it as .xlsx.',
  oldSlides: 'Presentations in this older format cannot be read. Please save it as .pptx.',
  oldWord: 'Word documents in this older format cannot be read. Please save it as .docx.',
  outlook: 'Messages in the format of Outlook cannot be read. Please save it as .eml.',
  inaccessible: 'Unable to access the file. It may have been deleted or moved.',
  empty: 'No meaningful content could be extracted from this document. It may be empty.',
  scanned:
    'No meaningful content could be extracted from this document. Its pages have no text: it may be scanned.',
  tooLarge:
    'This document unpacks to more than can be read safely. Please divide it, or save a spreadsheet as CSV.',
  tooSlow: 'This document took too long to read.',
  unavailable: 'Documents cannot be read right now. Please try again in a moment.',
  /** a long document, or a busy service */
  stillReading: 'This document is still being read. Please ask again in a moment.',
  /** shown by the page if the analysis could not be reached */
  network:
    'The document could not be analysed because of a network error. Please check your connection and try again.',
} as const

export function analysisFailed(fileName: string, error: string): string {
  return `Document analysis failed for ${fileName}: ${error}`
}

/** @param omissions for example '2 pictures were not read' */
export function noTextBut(omissions: string): string {
  return `No meaningful content could be extracted from this document: ${omissions}.`
}

/** Of a table whose query is run again. */
export const tableFileGone =
  'The file of this table is deleted. What is shown here is all that is left of the result.'
export const queryFailed = 'This query could not be run again. Ask for the result once more.'
