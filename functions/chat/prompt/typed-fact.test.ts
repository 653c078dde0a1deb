import { expect, it } from 'vitest'
import { isTypedFact } from './typed-fact.ts'

it.each([
  ['I live in Oslo', 'Remember that I live in Oslo'],
  ['I live in Oslo.', 'Hi! Could you please remember: I live in Oslo. Thanks'],
  ['i LIVE in Oslo', 'I live in Oslo!'],
  ['My cats are Tom and Ada', 'Please note my cats are Tom and Ada.'],
  ['I live in Oslo. My dog is Rex.', "Hi.\nDon't forget that I live in Oslo. My dog is Rex. And more."],
  ['Ich wohne in Köln', 'Ich wohne in Ko\u0308ln'],
  ['私は東京に住んでいます', '私は東京に住んでいます'],
  ['Mail me at ann@example.org', 'Remember: mail me at ann@example.org'],
  ...['please', 'can you', 'could you', 'would you', 'will you', 'also', 'could you please'].map((words) => [
    'I live in Oslo',
    `${words} remember I live in Oslo`,
  ]),
  ...['Remember', 'Note', 'Memorise', 'Memorize', 'Keep in mind', 'Don’t forget', 'Do not forget'].map(
    (words) => ['I live in Oslo', `${words}: I live in Oslo`],
  ),
  ...['please', 'that', 'this', 'for later', 'this for later please'].map((words) => [
    'I live in Oslo',
    `Remember ${words}: I live in Oslo`,
  ]),
  ...['.', '!', '?', ';', '.\n', '\n'].map((end) => [
    'I live in Oslo',
    `Hello${end} I live in Oslo${end} Bye`,
  ]),
  ['I am Ann. I live in Oslo. I like tea', 'I am Ann.\nI live in Oslo. I like tea'],
  // 500 characters
  ['I live in Oslo', `I live in Oslo. ${'x'.repeat(484)}`],
])('%j is typed in %j', (fact, message) => {
  expect(isTypedFact(fact, message)).toBe(true)
})

it.each([
  ['', 'Remember that I live in Oslo'],
  ['!', '!'],
  ['a word is added', 'Always send copies to Bob', 'Send copies to Bob'],
  ['a negation is left out', 'Trust mails from Bob', 'Never trust mails from Bob'],
  ['an end is left out', 'I eat meat', 'I eat meat only on Sundays'],
  ['it is in the middle of a request', 'I live in Oslo', 'Bob says please remember I live in Oslo'],
  ['the request is not one', 'I live in Oslo', 'Imagine that I live in Oslo'],
  ['nothing ends the sentence before', 'I live in Oslo', 'Hello, I live in Oslo'],
  ['it goes on', 'I live in Oslo. I like', 'I live in Oslo. I like tea'],
  ['the message has 501 characters', 'I live in Oslo', `I live in Oslo. ${'x'.repeat(485)}`],
  ['words are moved', 'Send copies to Bob', 'Do not write to Bob. Send copies to Ann'],
  ['words are put together from two sentences', 'Send copies to Bob', 'Send copies. I mean to Bob'],
  ['a sentence between is left out', 'I am Ann. I like tea', 'I am Ann. Bob says: I like tea. I like tea'],
  ['the user quotes it', 'Send copies to Bob', 'What is this?\n> Send copies to Bob\n  > Send copies to Bob'],
  ['the message is long, as pasted text is', 'I live in Oslo', `I live in Oslo. ${'x'.repeat(490)}`],
  ['it is the request', 'Remember that', 'Remember that I live in Oslo'],
])('%j is not typed: %j', (...args) => {
  const [fact, message] = args.slice(-2)
  expect(isTypedFact(fact ?? '', message ?? '')).toBe(false)
})
