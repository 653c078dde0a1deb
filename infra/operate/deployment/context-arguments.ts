/** The values of `-c` as arguments of a program. */
export const toArguments = (context: readonly string[]): string[] => context.flatMap((pair) => ['-c', pair])

/** Quotes a word where a shell would split or expand it. */
const quoteForShell = (word: string) =>
  /^[\w=.,:/@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** The values of `-c` as a shell reads them, each word after a space. */
export const formatContext = (context: readonly string[]): string =>
  toArguments(context)
    .map((word) => ` ${quoteForShell(word)}`)
    .join('')
