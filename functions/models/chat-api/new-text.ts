/** Pieces before it are too short to tell a repetition from words that are alike. */
const minCharacters = 16

/**
 * Takes what is new of each piece of a text, where a server repeats in each all that came before. DashScope:
 * https://github.com/QwenLM/qwen-code/pull/3896. It does so from the second piece on; words such as `ha` and `haha` may look so later.
 */
export class NewText {
  #before = ''
  #pieces = 0
  #repeats = false

  take(piece: string): string {
    if (piece === '') return ''
    this.#pieces += 1
    const isRepeated = piece.length > this.#before.length && piece.startsWith(this.#before)
    const isSecond = this.#pieces === 2 && /\p{L}/u.test(this.#before)
    if (isRepeated && (isSecond || (this.#pieces > 1 && this.#before.length >= minCharacters)))
      this.#repeats = true
    if (this.#repeats && piece.startsWith(this.#before)) {
      const added = piece.slice(this.#before.length)
      this.#before = piece
      return added
    }
    this.#before += piece
    return piece
  }
}
