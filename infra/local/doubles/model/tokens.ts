/** Up to eight characters of a word together with the white space before it, much as real tokenizers cut text. */
const token = /\s*\S{1,8}|\s+$/gu

/** Cuts a text into tokens; joined they are the text again. No token splits a character. */
export function splitTokens(text: string): string[] {
  return text.match(token) ?? []
}

/** How many tokens a text counts as. */
export const countTokens = (text: string): number => splitTokens(text).length
