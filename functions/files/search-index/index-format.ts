import * as z from 'zod'

/**
 * The stored index of one file's text: `JIX1`, the length of the header (4 bytes, little-endian), the header (JSON), then for each segment
 * its table and its blocks. All numbers behind the header are LEB128.
 *
 * A table lists, for each passage: its characters, its bytes in UTF-8, its number of terms. A block lists its terms in the order of their
 * code units. For each term: how many code units it shares with the previous term, the length of the rest in bytes, the rest, the number of
 * passages with the term, the length of the postings in bytes, the postings. A posting is the distance from the previous passage and how
 * often the passage has the term.
 */
export const indexVersion = 1
export const magic = 0x31_58_49_4a
/** Bytes before the header. */
export const prefixBytes = 8

const count = z.int().nonnegative()

export const indexHeader = z.object({
  v: z.literal(indexVersion),
  characters: count,
  passages: count,
  terms: count,
  /** passages by language, the commonest first */
  languages: z.array(z.tuple([z.string(), count])),
  /** the first passage of each place; absent for a text without places */
  places: z.array(z.tuple([count, z.string()])).exactOptional(),
  /** headings of the text, for an answer without passages */
  headings: z.array(z.string()),
  segments: z.array(
    z.object({
      passages: count,
      tableBytes: count,
      /** the first term and the length of each block */
      blocks: z.array(z.tuple([z.string(), count])),
    }),
  ),
})
export type IndexHeader = z.infer<typeof indexHeader>

/** A language with a smaller share of the passages was detected by mistake. */
const minLanguageShare = 0.05

/** The languages of a text, with their passages, the commonest first. */
export const listLanguages = ({ languages, passages }: Pick<IndexHeader, 'languages' | 'passages'>) =>
  languages.filter(([, count]) => count >= passages * minLanguageShare)
