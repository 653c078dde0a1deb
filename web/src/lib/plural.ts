/**
 * Picks the form of a sentence for a count. Only this function knows the plural rules of the page's language: a language with more than
 * two forms gets them here, named as by `Intl.PluralRules`.
 */
export const plural = (count: number, { one, other }: { one: string; other: string }): string =>
  count === 1 ? one : other
