/** What is said when a document cannot be read (DOC-09, DOC-11 to DOC-16): exact sentences, one place. */

/** More than the specification lists is really read. */
const supported = 'docx, pdf, xlsx, pptx, txt, md, csv, json, xml, html and code files'

export const documentSentences = {
  /** DOC-11 */
  word: 'The Word document could not be read. The file may be corrupted, password-protected or have unsupported formatting.',
  pdf: 'The PDF could not be read. The file may be corrupted or password-protected.',
  sheet:
    'The spreadsheet could not be read. The file may be corrupted, password-protected or have unsupported formatting.',
  slides:
    'The presentation could not be read. The file may be corrupted, password-protected or have unsupported formatting.',
  /** DOC-12 */
  unsupported: `File format not supported. Supported are ${supported}.`,
  /** DOC-13 */
  inaccessible: 'Unable to access the file. It may have been deleted or moved.',
  /** DOC-15 */
  empty: 'No meaningful content could be extracted from this document. It may be empty.',
  scanned:
    'No meaningful content could be extracted from this document. Its pages have no text: it may be scanned.',
  tooLarge: 'This document unpacks to more than can be read safely.',
  tooSlow: 'This document took too long to read.',
  unavailable: 'Documents cannot be read right now. Please try again in a moment.',
  /** DOC-16: said by the page when the analysis could not be reached */
  network:
    'The document could not be analysed because of a network error. Please check your connection and try again.',
} as const

/** DOC-14 */
export function analysisFailed(fileName: string, error: string): string {
  return `Document analysis failed for ${fileName}: ${error}`
}
