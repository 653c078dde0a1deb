import { expect, it } from 'vitest'
import { analysisFailed, documentMessages } from './document-messages.ts'

it.each([
  ['DOC-11', documentMessages.word, /corrupted.*password-protected.*unsupported formatting/],
  ['DOC-15', documentMessages.empty, /No meaningful content/],
  ['DOC-16', documentMessages.network, /network error.*check your connection/],
  [
    'DOC-12',
    documentMessages.unsupported,
    /^File format not supported.*docx.*csv.*txt.*md.*json.*xml.*html.*code/,
  ],
  ['DOC-13', documentMessages.inaccessible, /^Unable to access the file.*deleted or moved/],
  ['DOC-14', analysisFailed('a.pdf', 'No.'), /^Document analysis failed for a\.pdf: No\.$/],
])('%s says what is known about the failure: %s', (_, message, facts) => expect(message).toMatch(facts))

it('DEC-039 has a complete sentence of its own for each failure', () => {
  const sentences = Object.values(documentMessages)
  expect(new Set(sentences).size).toBe(sentences.length)
  for (const message of sentences) expect(message).toMatch(/^[A-Z].+\.$/s)
})
