import { expect, it } from 'vitest'
import { formatAnnotations } from './pdf-annotations.ts'

const field = (values: object) => ({ subtype: 'Widget', fieldName: 'a', ...values })

it.each([
  ['a text', field({ fieldType: 'Tx', fieldValue: 'one\ntwo' }), 'a: one two'],
  ['a password', field({ fieldType: 'Tx', fieldValue: 'secret', password: true }), 'a: (hidden)'],
  ['a label', field({ fieldType: 'Tx', fieldValue: 'x', alternativeText: 'Your name' }), 'Your name: x'],
  ['a signature', field({ fieldType: 'Sig', fieldValue: null }), 'a: (signature)'],
  ['a signature that is there', field({ fieldType: 'Sig', fieldValue: {} }), 'a: (signed)'],
  ['no value', field({ fieldType: 'Tx' }), 'a: (empty)'],
  ['a value that is no text', field({ fieldType: 'Tx', fieldValue: 7 }), 'a: (empty)'],
  ['a check', field({ fieldType: 'Btn', checkBox: true, fieldValue: 'On', exportValue: 'On' }), 'a: checked'],
  [
    'no check',
    field({ fieldType: 'Btn', checkBox: true, fieldValue: 'Off', exportValue: 'On' }),
    'a: not checked',
  ],
  [
    'a choice without a name',
    field({ fieldType: 'Ch', fieldValue: 'x', options: [{ exportValue: 'x' }] }),
    'a: x',
  ],
  ['damaged choices', field({ fieldType: 'Ch', fieldValue: 'x', options: 'none' }), 'a: x'],
  [
    'damaged fields',
    field({
      fieldType: 'Tx',
      fieldValue: 'x',
      fieldName: 7,
      alternativeText: ' b ',
      titleObj: 'x',
      hidden: 'no',
      password: 1,
      radioButton: 1,
      checkBox: 1,
      pushButton: 1,
      contentsObj: { str: 7 },
    }),
    'b: x',
  ],
  [
    'a radio button that is chosen',
    field({ fieldType: 'Btn', radioButton: true, fieldValue: 'x', buttonValue: 'x' }),
    'a: x',
  ],
  [
    'several choices',
    field({
      fieldType: 'Ch',
      fieldValue: ['x', 'y'],
      options: [{ exportValue: 'x', displayValue: 'First' }],
    }),
    'a: First, y',
  ],
  [
    'a radio button without a choice',
    field({ fieldType: 'Btn', radioButton: true, fieldValue: null, buttonValue: 'x' }),
    'a: (no choice)',
  ],
])('a form field with %s', (_, annotation, line) => {
  expect(formatAnnotations([annotation])).toBe(`Form fields:\n${line}`)
})

it.each([
  ['a hidden field', field({ fieldType: 'Tx', fieldValue: 'x', hidden: true })],
  ['a button', field({ fieldType: 'Btn', pushButton: true })],
  ['a link', { subtype: 'Link', contentsObj: { str: 'x' } }],
  ['the window of a comment', { subtype: 'Popup', contentsObj: { str: 'x' } }],
  ['a comment without text', { subtype: 'Highlight', contentsObj: { str: ' ' } }],
  ['what is no annotation', null],
])('%s gives no text', (_, annotation) => {
  expect(formatAnnotations([annotation])).toBe('')
})

it('shows a group of radio buttons once', () => {
  const button = (fieldName: string, fieldValue: string | null, buttonValue: string) =>
    field({ fieldType: 'Btn', radioButton: true, fieldName, fieldValue, buttonValue })
  expect(
    formatAnnotations([
      button('paid', 'card', 'cash'),
      button('paid', 'card', 'card'),
      button('sent', null, 'mail'),
      button('sent', null, 'letter'),
    ]),
  ).toBe('Form fields:\npaid: card\nsent: (no choice)')
})

it('shows comments after the fields, with their authors', () => {
  const comment = (author: string, text: string) => ({
    subtype: 'Highlight',
    titleObj: { str: author },
    contentsObj: { str: text },
  })
  expect(
    formatAnnotations([
      comment(' Ann\nExample ', ' one\ntwo '),
      comment(' ', 'three'),
      { subtype: 'Text', contentsObj: { str: 'four' } },
      field({ fieldType: 'Tx', fieldValue: 'x' }),
      { subtype: 'Widget', contentsObj: { str: 'tooltip' } },
    ]),
  ).toBe('Form fields:\na: x\nComment by Ann Example: one\ntwo\nComment: three\nComment: four')
})

it.each([
  ['a text without a value', { fieldType: 'Tx' }, 'a: seen here'],
  ['a text with a value', { fieldType: 'Tx', fieldValue: 'x' }, 'a: x'],
  ['a password', { fieldType: 'Tx', password: true }, 'a: (hidden)'],
  ['a signature', { fieldType: 'Sig', fieldValue: {} }, 'a: (signed) seen here'],
])('%s has what is drawn in its place', (_, values, line) => {
  const drawn = new Map([['7R', 'seen\nhere ']])
  expect(formatAnnotations([field({ id: '7R', ...values })], drawn)).toBe(`Form fields:\n${line}`)
})
