/** A word ends at whatever is no letter and no digit, so `my_test` and `fake-gmail` hold one, `Latest` and `Contest` do not. */
const word = /(?<![\p{L}\p{N}])(?:test|fake)(?![\p{L}\p{N}])/iu

/** The name of something that was only tried out, which is neither listed nor kept. The same rule for the list and for the cleanup. */
export function isPlaceholderName(name: string): boolean {
  return word.test(name)
}
