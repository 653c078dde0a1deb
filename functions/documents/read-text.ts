import { isText } from '../files/text-bytes.ts'
import { decodeText } from './decode-text.ts'
import { DocumentError, OmissionCounter, TextCollector, type ExtractedText } from './extracted-text.ts'

/** NUL has no meaning in a text, and some stores refuse it. */
const normalize = (text: string) => text.replaceAll('\0', '').replaceAll('\r\n', '\n').replaceAll('\r', '\n')

const sliceCharacters = 65_536

/** Divides a text, but no line end of Windows. Replacing millions of line ends at once takes more memory than the process has. */
function* divide(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const end = at + sliceCharacters
    const next = text[end - 1] === '\r' && text[end] === '\n' ? end + 1 : end
    yield text.slice(at, next)
    at = next
  }
}

/** Adds a text with one kind of line ends, and without NUL. */
export function addText(collector: TextCollector, content: string): void {
  for (const slice of divide(content)) collector.add(normalize(slice))
}

/**
 * Reads a text of any name.
 * @throws DocumentError if the bytes are not text
 */
export const readText = async (bytes: Uint8Array): Promise<ExtractedText> =>
  (await readWithContent(bytes)).extracted

/** Reads a text, and hands over what was decoded. @throws DocumentError if the bytes are not text */
export async function readWithContent(
  bytes: Uint8Array,
): Promise<{ extracted: ExtractedText; content: string }> {
  if (!isText(bytes)) throw new DocumentError('unreadable', 'binary content')
  const { text: content, encoding, isGuess, damaged, isGarbled } = await decodeText(bytes)
  if (isGarbled) throw new DocumentError('unreadable', 'an unknown encoding')
  const omissions = new OmissionCounter()
  omissions.add('damagedCharacters', damaged)
  const text = new TextCollector()
  addText(text, content)
  const omitted = omissions.end()
  const extracted = {
    ...text.end(),
    ...(omitted.length > 0 && { omitted }),
    ...(isGuess && { assumedEncoding: encoding }),
  }
  return { extracted, content }
}
