/** Words that carry no topic of their own. */
const common = new Set(
  (
    'a about above after again all also am an and any are as at be because been before being both but by can could did do ' +
    'does doing done for from get give go had has have he her here hi him his how i if in into is it its just know let like make ' +
    'may me might more most much must my need no not now of off on one only or other our out over please shall she should show ' +
    'so some such tell than thank thanks that the their them then there these they thing things this those to too up us use ' +
    'very want was we well were what when where which while who why will with would yes you your yours'
  ).split(' '),
)

/** The words of a text in lower case, without punctuation; digits count as words. */
export function splitWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** The words that a text is about, each once, in their order. */
export function topicWords(text: string): string[] {
  return [...new Set(splitWords(text))].filter((word) => word.length > 2 && !common.has(word))
}

/** A crude stem, so that `emails` meets `email` and `searching` meets `search`. */
export function stem(word: string): string {
  for (const ending of ['ings', 'ing', 'ies', 'es', 'ed', 's'])
    if (word.length - ending.length >= 3 && word.endsWith(ending))
      return word.slice(0, -ending.length) + (ending === 'ies' ? 'y' : '')
  return word
}

/** One line of at most `length` characters, cut at a word. */
export function excerpt(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= length) return line
  const cut = line.slice(0, length)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), length / 2)).trimEnd()}…`
}
