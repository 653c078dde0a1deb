/** A word ends at whatever is no letter and no digit, so `my_test` and `fake-gmail` hold one, `Latest` and `Contest` do not. */
const word = /(?<![\p{L}\p{N}])(?:test|fake)(?![\p{L}\p{N}])/iu

/** Whether this names something that was only tried out: it is not listed, and the cleanup deletes it. */
export function isPlaceholderName(name: string): boolean {
  return word.test(name)
}
