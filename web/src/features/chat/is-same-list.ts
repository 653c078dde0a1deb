/** Whether two lists have the same items (`===`) in the same order. */
export const isSameList = (before: readonly unknown[], now: readonly unknown[]): boolean =>
  before.length === now.length && before.every((item, index) => item === now[index])
