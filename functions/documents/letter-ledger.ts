import type { OmissionCounter } from './extracted-text.ts'

// What a reader is given and what it hands on: each letter once. Order and white space are layout. Code units are counted, because halves of a
// pair are as countable as letters.

const codes = 65_536
/** Received and not handed on, written besides, and whether a code was counted; shared, because a part is counted at once. */
const [balance, extra, isSeen] = [new Int32Array(codes), new Int32Array(codes), new Uint8Array(codes)]

function count(texts: readonly string[], into: Int32Array, by: 1 | -1, seen: number[]): void {
  for (const text of texts)
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      into[code] = (into[code] ?? 0) + by
      if (isSeen[code] === 1) continue
      isSeen[code] = 1
      seen.push(code)
    }
}

const isWhite = (sign: string) => sign.trim() === '' || /\p{Cc}/u.test(sign)
const dropBreaks = (text: string) => (text.includes('<br>') ? text.replaceAll('<br>', '') : text)

export class LetterLedger {
  #received: string[] = []
  readonly #dropped: string[] = []
  readonly #written: string[] = []

  receive(text: string): void {
    this.#received.push(text)
  }

  endLine(): void {
    this.#received.push('\n')
  }

  /** What is left out on purpose, though it was received. */
  drop(text: string): void {
    this.#dropped.push(text)
  }

  /** What is given besides: labels, marks, addresses. */
  write(text: string): void {
    this.#written.push(text)
  }

  /**
   * Letters that are lost, and letters that came from nowhere; for tests and logs (never a document's own text in a log: counts only).
   * @param isExact all that is written is given; else letters of it may be missing, and signs may be added
   */
  compare(given: readonly string[], isExact = false): { lost: string; added: string } {
    const seen: number[] = []
    const [received, handed] = isExact
      ? [this.#received, given]
      : [[dropBreaks(this.#received.join(''))], given.map(dropBreaks)]
    count(received, balance, 1, seen)
    count(this.#dropped, balance, -1, seen)
    count(handed, balance, -1, seen)
    count(this.#written, extra, 1, seen)
    let [lost, added] = ['', '']
    for (const code of seen) {
      const [left = 0, more = 0] = [balance[code], extra[code]]
      balance[code] = extra[code] = isSeen[code] = 0
      const sign = String.fromCharCode(code)
      const missing = isExact ? left + more : left
      if (missing > 0 && !isWhite(sign)) lost += sign.repeat(missing)
      if (left + more < 0 && !isWhite(sign) && (isExact || /[\p{L}\p{N}]/u.test(sign)))
        added += sign.repeat(-left - more)
    }
    return { lost, added }
  }

  /** The given texts if they have each letter once; else the part in the order in which it has its texts, which is counted. */
  settle(given: readonly string[], omissions: OmissionCounter | undefined): readonly string[] {
    const { lost, added } = this.compare(given)
    if (lost === '' && added === '') return given
    omissions?.note('plain')
    return [this.plain]
  }

  get plain(): string {
    return this.#received
      .join('')
      .split('\n')
      .map((line) => line.replaceAll(/\s+/g, ' ').trim())
      .filter((line) => line !== '')
      .join('\n')
  }
}

export function haveSameLetters(given: readonly string[], handed: readonly string[]): boolean {
  const ledger = new LetterLedger()
  for (const text of given) ledger.receive(text)
  const { lost, added } = ledger.compare(handed, true)
  return lost === '' && added === ''
}
