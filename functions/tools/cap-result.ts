/** Results beyond this are cut, and the model is told so. */
const maxResultCharacters = 20_000

/** A result as the model reads it. */
export function capResult(result: unknown): string {
  const text = typeof result === 'string' ? result : (JSON.stringify(result) ?? 'null')
  return text.length <= maxResultCharacters
    ? text
    : `${text.slice(0, maxResultCharacters)}\n[Result truncated: ${text.length} characters in all]`
}
