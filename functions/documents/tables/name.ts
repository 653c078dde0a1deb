import { truncate } from '#shared/truncate.ts'

// Names of tables and columns that a person recognises, and that SQL takes without quotation marks.

const maxNameCharacters = 60

const keywords = new Set(
  'abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade case cast check collate column commit conflict constraint create cross current current_date current_time current_timestamp database default deferrable deferred delete desc detach distinct do drop each else end escape except exclude exclusive exists explain fail filter first following for foreign from full generated glob group groups having if ignore immediate in index indexed initially inner insert instead intersect into is isnull join key last left like limit match materialized natural no not nothing notnull null nulls of offset on or order others outer over partition plan pragma preceding primary query raise range recursive references regexp reindex release rename replace restrict returning right rollback row rows savepoint select set table temp temporary then ties to transaction trigger unbounded union unique update using vacuum values view virtual when where window with without'.split(
    ' ',
  ),
)

const signs: readonly (readonly [sign: RegExp, word: string])[] = [
  [/€/g, ' eur '],
  [/\$/g, ' usd '],
  [/£/g, ' gbp '],
  [/[¥￥]/g, ' jpy '],
  [/%/g, ' pct '],
  [/&/g, ' and '],
]

export function toName(title: string, fallback: string): string {
  let text = title.normalize('NFKC').toLowerCase()
  for (const [sign, word] of signs) text = text.replaceAll(sign, word)
  // what stands between words has become one underscore, also at either end
  const name = truncate(text.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '_'), maxNameCharacters).replaceAll(
    /^_|_$/g,
    '',
  )
  if (name === '') return fallback
  if (/^\p{M}|^\p{N}/u.test(name)) return `n_${name}`
  return keywords.has(name) ? `${name}_` : name
}

/** Makes names unique: the second of one name gets `_2`. @param taken names of others; the new one is added */
export function makeUnique(name: string, taken: Set<string>): string {
  let unique = name
  for (let count = 2; taken.has(unique); count += 1) unique = `${name.replace(/_$/, '')}_${count}`
  taken.add(unique)
  return unique
}
