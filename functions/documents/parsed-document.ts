import { maxAnalysisCharacters } from '#shared/limits.ts'
import { truncate } from '#shared/truncate.ts'
import type { encodeText } from '../files/stored-text.ts'
import type { ExtractedText } from './extracted-text.ts'
import { maxListedPages, type ParsedDocument } from './parser-contract.ts'

export function toParsedDocument(
  { text, pages, pictures = [], scans, ...extracted }: ExtractedText,
  { bytes, parts }: ReturnType<typeof encodeText>,
  index: { languages: readonly string[] } | undefined,
): ParsedDocument {
  return {
    ...extracted,
    ...(pages && { pages: pages.total > maxListedPages ? { ends: [], total: pages.total } : pages }),
    ...(pictures.length > 0 && { pictures: pictures.map(({ page, bytes: { length } }) => [page, length]) }),
    ...(scans && {
      scans: { of: scans.of, parts: scans.parts.map(({ pages: of, bytes: { length } }) => [of, length]) },
    }),
    // a single letter or digit counts
    hasContent: /[\p{L}\p{N}]/u.test(text),
    beginning: truncate(text, maxAnalysisCharacters),
    text: {
      characters: text.length,
      bytes: bytes.length,
      parts,
      languages: [...(index?.languages ?? [])],
      isIndexed: index !== undefined,
    },
  }
}
