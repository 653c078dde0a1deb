import { beforeEach, expect, it, vi } from 'vitest'
import { findSelectedText, quoteInComposer } from './quote-selection.ts'

let rows: HTMLElement
let composer: HTMLTextAreaElement
const findTextNode = (id: string) => document.querySelector(`#${id}`)?.firstChild as Text

beforeEach(() => {
  document.body.innerHTML = `
    <div id="rows"><div><p id="a">The first message</p></div><div><p id="b">The second</p><p id="c">and its end</p></div></div>
    <p id="outside">Elsewhere</p><textarea data-composer></textarea>`
  rows = document.querySelector('#rows') as HTMLElement
  composer = document.querySelector('textarea') as HTMLTextAreaElement
})

it.each([
  ['within a message', 'a', 4, 'a', 9, 'first'],
  ['across paragraphs of a message', 'b', 4, 'c', 3, 'second\n\nand'],
  ['up to the start of the next message', 'a', 0, 'b', 0, 'The first message'],
  ['across two messages', 'a', 4, 'b', 3, undefined],
  ['up to the start of a later paragraph of the next message', 'a', 4, 'c', 0, undefined],
  ['from the last message up to what follows the messages', 'c', 4, 'outside', 0, 'its end'],
  ['outside of the messages', 'outside', 0, 'outside', 4, undefined],
  ['an empty selection', 'a', 4, 'a', 4, undefined],
  ['only a space', 'a', 3, 'a', 4, undefined],
] as const)('finds the selected text: %s', (_, from, start, to, end, text) => {
  getSelection()?.setBaseAndExtent(findTextNode(from), start, findTextNode(to), end)
  expect(findSelectedText(rows)?.text).toBe(text)
})

it('quotes each line, and ends with an empty line', () => {
  quoteInComposer('One\n\nTwo\r\nThree')
  expect(composer.value).toBe('> One\n>\n> Two\n> Three\n\n')
})

it.each([
  ['', 0, 0, '> Q\n\n'],
  ['Before', 6, 6, 'Before\n\n> Q\n\n'],
  ['Before\nAfter', 7, 7, 'Before\n\n> Q\n\nAfter'],
  ['Before\n\nreplaced', 8, 16, 'Before\n\n> Q\n\n'],
])(
  'replaces a range of %j, from %i to %i, by the quote, fires an input event and moves the focus',
  (value, from, to, expected) => {
    const onInput = vi.fn<() => void>()
    composer.addEventListener('input', onInput)
    composer.value = value
    composer.setSelectionRange(from, to)
    quoteInComposer('Q')
    expect(composer.value).toBe(expected)
    expect(onInput).toHaveBeenCalledOnce()
    expect(document.activeElement).toBe(composer)
    expect(composer.value.slice(0, composer.selectionEnd)).toMatch(/> Q\n\n$/)
  },
)
