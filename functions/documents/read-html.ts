import { decodeText } from './decode-text.ts'
import { DocumentError, OmissionCounter, TextCollector, type ExtractedText } from './extracted-text.ts'
import { readHtmlText } from './html-text.ts'
import { addText } from './read-text.ts'

/** Reads a page as its text, without scripts and styles. @throws DocumentError */
export async function readHtml(bytes: Uint8Array): Promise<ExtractedText> {
  const { text: html, encoding, isGuess, damaged, isGarbled } = await decodeText(bytes)
  if (isGarbled) throw new DocumentError('unreadable', 'an unknown encoding')
  const omissions = new OmissionCounter()
  omissions.add('damagedCharacters', damaged)
  const text = new TextCollector()
  addText(text, readHtmlText(html, { omissions, countsCode: true, hasTitle: true }))
  return { ...text.end(), ...omissions.list(), ...(isGuess && { assumedEncoding: encoding }) }
}
