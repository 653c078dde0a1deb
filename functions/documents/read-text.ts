import { isText } from '../files/text-bytes.ts'
import { decodeText } from './decode-text.ts'
import {
  DocumentError,
  OmissionCounter,
  TextCollector,
  type Place,
  type ExtractedText,
} from './extracted-text.ts'

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

export function addText(collector: TextCollector, content: string, place?: Omit<Place, 'at'>): void {
  if (place) collector.add('', place)
  for (const slice of divide(content)) collector.add(normalize(slice))
}

/** Reads a document whose bytes are a text. @param write adds what is shown of it @throws DocumentError if its encoding is not known */
export async function readDecoded(
  bytes: Uint8Array,
  write: (content: string, text: TextCollector, omissions: OmissionCounter) => void,
): Promise<ExtractedText> {
  const { text: content, encoding, isGuess, damaged, isGarbled } = await decodeText(bytes)
  if (isGarbled) throw new DocumentError('unreadable', 'an unknown encoding')
  const omissions = new OmissionCounter()
  omissions.add('damagedCharacters', damaged)
  const text = new TextCollector()
  write(content, text, omissions)
  return { ...text.end(), ...omissions.list(), ...(isGuess && { assumedEncoding: encoding }) }
}

/** @param use gets what was decoded */
export async function readText(bytes: Uint8Array, use?: (content: string) => void): Promise<ExtractedText> {
  if (!isText(bytes)) throw new DocumentError('unreadable', 'binary content')
  return readDecoded(bytes, (content, text) => {
    addText(text, content)
    use?.(content)
  })
}
