import { expect, it } from 'vitest'
import { createSentenceTranslator } from './translate-sentence.ts'

const translate = createSentenceTranslator(
  { 'This file does not exist.': 'Diese Datei gibt es nicht.', 'in a moment': 'gleich' },
  { busy: 'Gerade ist viel los.' },
  [
    [
      ['', ' has moved to ', '.'],
      ['Unter ', 1, ' ist jetzt ', 0, '.'],
    ],
    [
      ['Please try again ', '.'],
      ['Bitte versuchen Sie es ', 0, ' noch einmal.'],
    ],
    [
      ['Service error: ', ''],
      ['Fehler: ', 0],
    ],
    [
      ['in ', ' seconds'],
      ['in ', 0, ' Sekunden'],
    ],
  ],
)

it.each([
  ['This file does not exist.', 'Diese Datei gibt es nicht.'],
  ['Notion has moved to b.example.', 'Unter b.example ist jetzt Notion.'],
  ['Service error: This file does not exist.', 'Fehler: Diese Datei gibt es nicht.'],
  ['Service error: unheard of', 'Fehler: unheard of'],
  ['Please try again in 7 seconds.', 'Bitte versuchen Sie es in 7 Sekunden noch einmal.'],
  ['Please try again in a moment.', 'Bitte versuchen Sie es gleich noch einmal.'],
  ['A sentence of a newer service.', 'A sentence of a newer service.'],
  // the texts of a pattern may not overlap
  [' has moved to', ' has moved to'],
  ['constructor', 'constructor'],
])('%s', (sentence, translation) => {
  expect(translate(sentence)).toBe(translation)
})

it('an unknown sentence is translated by the code of its error', () => {
  expect(translate('Too busy right now.', 'busy')).toBe('Gerade ist viel los.')
  expect(translate('Too busy right now.', 'toString')).toBe('Too busy right now.')
  expect(translate('This file does not exist.', 'busy')).toBe('Diese Datei gibt es nicht.')
})
