import { expect, it } from 'vitest'
import { formatAnnotations } from './pdf-annotations.ts'

const field = (values: object) => ({ subtype: 'Widget', fieldName: 'a', ...values })

it.each([
  ['a text', field({ fieldType: 'Tx', fieldValue: 'one\ntwo' }), 'a: one two'],
  ['a password', field({ fieldType: 'Tx', fieldValue: 'secret', password: true }), 'a: (hidden)'],
  ['a label', field({ fieldType: 'Tx', fieldValue: 'x', alternativeText: 'Your name' }), 'Your name: x'],
  ['a signature', field({ fieldType: 'Sig', fieldValue: null }), 'a: (signature)'],
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
