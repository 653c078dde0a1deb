import { expect, it } from 'vitest'
import { sessionTitle } from '#shared/session-title.ts'

const fifty = 'a'.repeat(50)

it.each([
  ['HIST-16 a blank message', '   ', 'New Chat'],
  ['HIST-16 a message of the product itself', '__ASSISTANT_greeting', 'New Chat'],
  ['HIST-18 50 characters', fifty, fifty],
  [
    'HIST-18 a question of up to 50 characters',
    'How to boil an egg so that it is soft?',
    'How to boil an egg so that it is soft?',
  ],
  [
    'HIST-19 DEC-046 "how to" in the middle, ignoring case',
    'Please tell me in detail How To repair a bicycle wheel at home',
    'How To repair a bicycle wheel...',
  ],
  [
    'HIST-19 "how do" followed by exactly 3 more words is not enough',
    'In this rather long and winding sentence I ask how do I start',
    'In this rather long and winding...',
  ],
  [
    'HIST-19 "how do" followed by 4 more words',
    'In this rather long and winding sentence I ask how do I start it',
    'how do I start it...',
  ],
  [
    'HIST-19 DEC-046 "show to" is no "how to"',
    'I would like to show to everybody the pictures of my holiday',
    'I would like to show to...',
  ],
  [
    'HIST-20 "what is" with 5 words',
    'Could you please explain to me what is the difference between tea and coffee',
    'what is the difference between...',
  ],
  [
    'HIST-20 "what are" followed by exactly 4 more words is not enough',
    'Considering everything that was said before, what are we to do',
    'Considering everything that was said before,...',
  ],
  [
    'HIST-20 "what are" followed by 5 more words',
    'Considering everything that was said before, what are we to do now',
    'what are we to do...',
  ],
  [
    'HIST-21 8 words',
    'Compare photosynthesis, chemosynthesis, respiration and fermentation in plants',
    'Compare photosynthesis, chemosynthesis, respiration and fermentation in plants',
  ],
  [
    'HIST-22 9 words',
    'Compare photosynthesis, chemosynthesis, respiration and fermentation in green plants',
    'Compare photosynthesis, chemosynthesis, respiration and fermentation...',
  ],
  [
    'HIST-21 8 words or fewer, however long',
    'Donaudampfschifffahrtsgesellschaft Rindfleischetikettierung Kraftfahrzeug Haftpflicht',
    'Donaudampfschifffahrtsgesellschaft Rindfleischetikettierung Kraftfahrzeug Haftpflicht',
  ],
  [
    'LIM-01 more than 8 words',
    'one two three four five six seven eight nine ten eleven twelve',
    'one two three four five six...',
  ],
])('%s', (_, message, title) => {
  expect(sessionTitle(message)).toBe(title)
})

it.each([
  ['code before a question', '```python\nprint(1)\n```\nWhat does this do?', 'What does this do?'],
  ['code that is not closed', 'Why?\n```js\nconst a = 1', 'Why?'],
  ['code alone', '```python\nprint(1)\n```', 'print(1)'],
  ['tildes', '~~~\na\n~~~\nExplain', 'Explain'],
  ['a heading', '# Plan for **Oslo**', 'Plan for Oslo'],
  ['a quotation and an item', '> You said\n- *this*', 'You said this'],
  ['a link', 'Read [the guide](https://example.org/a) first', 'Read the guide first'],
  ['code in a line', 'What is `npm ci`?', 'What is npm ci?'],
  ['signs that are no marks', '2 * 3 is a*b, C# and __init__', '2 * 3 is a*b, C# and __init__'],
  ['marks alone', '```', 'New Chat'],
])('DEC-193 has no marks of %s', (_, message, title) => {
  expect(sessionTitle(message)).toBe(title)
})

it.each([
  [['budget.xlsx'], 'budget.xlsx'],
  [['a.pdf', 'b.pdf'], 'a.pdf, b.pdf'],
  [['a.pdf', `${'b'.repeat(50)}.pdf`, 'c.pdf'], 'a.pdf...'],
  [[' '], 'New Chat'],
  [[], 'New Chat'],
])('the files %j alone give %s', (names, title) => {
  expect(sessionTitle(' ', names)).toBe(title)
})

it('takes a time that grows with the length of the message', () => {
  for (const text of ['```\n', '~~~', '](', '[', '*', '*a', ' \n', '> ', '`', '- '])
    expect(sessionTitle(text.repeat(100_000 / text.length)).length).toBeLessThan(400)
})
