/** Splits a list of names that is written as one text, separated by spaces. */
export const splitWords = (names: string): string[] => names.split(' ')
