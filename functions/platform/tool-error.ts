import type { Sentence } from '#shared/sentences/sentence.ts'
import { joinSentences } from '#shared/sentences/to-sentence.ts'

/** A tool did not do what was asked of it: sentences for the model, and for the user below the call. */
export class ToolError extends Error {
  readonly sentences: readonly Sentence[]

  constructor(said: Sentence | readonly Sentence[], options?: { cause?: unknown }) {
    const sentences = [said].flat()
    super(joinSentences(sentences), options)
    this.sentences = sentences
  }
}
