import { expect, it } from 'vitest'
import { analysisFailed, documentSentences } from './document-sentences.ts'

it.each([
  ['DOC-11', documentSentences.word, /corrupted.*password-protected.*unsupported formatting/],
  ['DOC-15', documentSentences.empty, /No meaningful content/],
  ['DOC-16', documentSentences.network, /network error.*check your connection/],
  [
    'DOC-12',
    documentSentences.unsupported,
    /^File format not supported.*docx.*txt.*md.*csv.*json.*xml.*html.*code/,
  ],
  ['DOC-13', documentSentences.inaccessible, /^Unable to access the file.*deleted or moved/],
  ['DOC-14', analysisFailed('a.pdf', 'No.'), /^Document analysis failed for a\.pdf: No\.$/],
])('%s says what is known about the failure: %s', (_, sentence, facts) => expect(sentence).toMatch(facts))

it('DEC-039 has a complete sentence of its own for each failure', () => {
  const sentences = Object.values(documentSentences)
  expect(new Set(sentences).size).toBe(sentences.length)
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].+\.$/s)
})
