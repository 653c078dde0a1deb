import { isText } from '../files/text-bytes.ts'
import { decodeText } from './decode-text.ts'
import { DocumentError, OmissionCounter, TextCollector, type ExtractedText } from './extracted-text.ts'

/**
 * Reads a text of any name.
 * @throws DocumentError if the bytes are not text
 */
export async function readText(bytes: Uint8Array): Promise<ExtractedText> {
  if (!isText(bytes)) throw new DocumentError('unreadable', 'binary content')
  const { text: content, encoding, isGuess, damaged } = await decodeText(bytes)
  const omissions = new OmissionCounter()
  omissions.add('damagedCharacters', damaged)
  const text = new TextCollector()
  // NUL has no meaning in a text, and some stores refuse it
  text.add(content.replaceAll('\0', '').replace(/\r\n?/g, '\n'))
  const omitted = omissions.end()
  return {
    ...text.end(),
    ...(omitted.length > 0 && { omitted }),
    ...(isGuess && { assumedEncoding: encoding }),
  }
}
