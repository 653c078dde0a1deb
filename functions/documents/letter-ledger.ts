// What a reader is given and what it hands on: each letter once. Order and white space are layout.

/** Why letters are left out, or written without being in the document. */
export type Reason = 'drawnTwice' | 'links' | 'marks'

/** An order-free count of letters: code units, because halves of a pair are as countable as letters. */
export class LetterLedger {
  readonly #balance = new Map<number, number>()
  readonly reasons = new Map<Reason, number>()

  #count(text: string, sign: 1 | -1): void {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (isWhite(code)) continue
      const count = (this.#balance.get(code) ?? 0) + sign
      if (count === 0) this.#balance.delete(code)
      else this.#balance.set(code, count)
    }
  }

  /** What the raw reader sees. */
  receive(text: string): void {
    this.#count(text, 1)
  }

  /** What is handed on. */
  hand(text: string): void {
    this.#count(text, -1)
  }

  /** What is left out on purpose. */
  drop(reason: Reason, text: string): void {
    this.#count(text, -1)
    this.#note(reason, text.length)
  }

  /** What is written besides the letters of the document. */
  write(reason: Reason, text: string): void {
    this.#count(text, 1)
    this.#note(reason, text.length)
  }

  #note(reason: Reason, count: number): void {
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + count)
  }

  get isBalanced(): boolean {
    return this.#balance.size === 0
  }

  /** Letters that are lost, and letters that came from nowhere; for tests and logs (never a document's own text in a log: counts only). */
  difference(): { lost: string; added: string } {
    const list = (sign: number) =>
      [...this.#balance]
        .filter(([, count]) => count * sign > 0)
        .map(([code, count]) => String.fromCharCode(code).repeat(Math.abs(count)))
        .join('')
    return { lost: list(1), added: list(-1) }
  }
}

const whiteCodes = new Set(
  Array.from({ length: 65_536 }, (_, code) => code).filter(
    (code) => String.fromCharCode(code).trim() === '' || code === 0x85,
  ),
)
const isWhite = (code: number) =>
  code < 128 ? code === 32 || (code >= 9 && code <= 13) : whiteCodes.has(code)

/** Whether two lists of texts have the same letters, each as often. */
export function haveSameLetters(given: Iterable<string>, handed: Iterable<string>): boolean {
  const ledger = new LetterLedger()
  for (const text of given) ledger.receive(text)
  for (const text of handed) ledger.hand(text)
  return ledger.isBalanced
}
