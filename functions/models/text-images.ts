import { QuoteTracker } from './quoted-text.ts'
import { findBeginning } from './text-marks.ts'

const headers = ['png', 'jpeg', 'jpg', 'webp', 'gif'].map((type) => `data:image/${type};base64,`)
const opener = /(?:!?\[[^\]\n]{0,200}\]\()?data:image\/(?:png|jpeg|jpg|webp|gif);base64,/
/** What may become the Markdown before an image, and how much of its address there is. */
const mayBecomeImage = /^!?\[[^\]\n]{0,200}(?:\](?:\(([a-z:/;0-9]{0,30}))?)?$/
const maxBeginning = 250
const isNoBase64 = /[^A-Za-z0-9+/=]/

interface TextImageCallbacks {
  onText: (delta: string) => void
  /** @param url a data URL */
  onImage: (url: string) => void
}

/**
 * Takes images out of a text that arrives in pieces, where servers without another place for them leave them as Markdown or as an address
 * alone (https://github.com/foxhui/WebAI2API/issues/102). Those in code, or in quotation marks as HTML has them, stay.
 */
export class TextImages {
  readonly #callbacks: TextImageCallbacks
  readonly #quotes = new QuoteTracker()
  #held = ''
  #line = ''
  /** the pieces of the image that is read */
  #image: string[] | undefined
  /** the Markdown around an image may still end */
  #isInMarkdown = false

  constructor(callbacks: TextImageCallbacks) {
    this.#callbacks = callbacks
  }

  add(delta: string): void {
    let rest = delta
    while (rest !== '') rest = this.#image ? this.#readImage(rest) : this.#readText(rest)
  }

  /** Passes on what is held. An image that has not ended is none; one alone ends with the text. */
  end(): void {
    this.#emit(this.#held)
    this.#held = ''
    const length = this.#image?.slice(1).reduce((sum, piece) => sum + piece.length, 0) ?? 0
    if (!this.#isInMarkdown && length > 0 && length % 4 === 0) this.#endImage()
    this.#image = undefined
  }

  /** What is held is no part of the text. */
  forget(): void {
    this.#held = ''
    this.#line = ''
  }

  /** @returns what is left to read */
  #readText(delta: string): string {
    let text = this.#held + delta
    this.#held = ''
    if (this.#isInMarkdown) {
      this.#isInMarkdown = false
      if (text.startsWith(')')) text = text.slice(1)
    }
    const found = opener.exec(text)
    if (!found) {
      const beginning = findImage(text, this.#line.trim() === '')
      this.#held = text.slice(beginning)
      this.#emit(text.slice(0, beginning))
      return ''
    }
    this.#emit(text.slice(0, found.index))
    const isMarkdown = !found[0].startsWith('data')
    const header = found[0].slice(found[0].indexOf('data:image/'))
    if (this.#quotes.isQuoted || !(isMarkdown || this.#line.trim() === '')) this.#emit(found[0])
    else {
      this.#image = [header]
      this.#isInMarkdown = isMarkdown
    }
    return text.slice(found.index + found[0].length)
  }

  #readImage(delta: string): string {
    const end = delta.search(isNoBase64)
    this.#image?.push(end === -1 ? delta : delta.slice(0, end))
    if (end === -1) return ''
    this.#endImage()
    return delta.slice(end)
  }

  #endImage(): void {
    if (this.#image) this.#callbacks.onImage(this.#image.join(''))
    this.#image = undefined
  }

  #emit(text: string): void {
    if (text === '') return
    this.#quotes.add(text)
    const lineAt = text.lastIndexOf('\n') + 1
    this.#line = (lineAt > 0 ? '' : this.#line) + text.slice(lineAt, lineAt + maxBeginning)
    this.#line = this.#line.slice(0, maxBeginning)
    this.#callbacks.onText(text)
  }
}

/**
 * Where a text may begin an image that is not complete; its length if nowhere.
 * @param isLineBlank nothing stands before the text on its line
 */
function findImage(text: string, isLineBlank: boolean): number {
  const from = Math.max(0, text.length - maxBeginning)
  const bracket = text.lastIndexOf('[')
  if (bracket >= from) {
    const at = text.charAt(bracket - 1) === '!' ? bracket - 1 : bracket
    const found = mayBecomeImage.exec(text.slice(at))
    const address = found?.[1] ?? ''
    if (found && (address === '' || headers.some((header) => header.startsWith(address)))) return at
  }
  // words end with this mark, too
  if (/\s!$/.test(text.slice(-2))) return text.length - 1
  const beginning = findBeginning(text, headers)
  const lineAt = text.lastIndexOf('\n') + 1
  const isAlone =
    text.slice(lineAt, beginning === -1 ? undefined : beginning).trim() === '' && (lineAt > 0 || isLineBlank)
  return beginning === -1 || !isAlone ? text.length : beginning
}
