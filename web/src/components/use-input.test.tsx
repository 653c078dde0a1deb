import { act, fireEvent, render, screen } from '@testing-library/react'
import { useEffect } from 'react'
import { expect, it, vi } from 'vitest'
import { CodeField } from './ui/code-field.tsx'
import { TextField } from './ui/field.tsx'
import { draftPrefixes, removeInputs, writeInputs } from '../lib/input/inputs.ts'
import { isLeaveGuarded, requestLeave } from '../lib/input/leave-guard.ts'
import { canReloadSilently } from '../lib/browser/reload-page.ts'
import { bind, useDraftInput } from '../lib/input/text-input.ts'
import { useInput, type Input, type InputOptions } from '../lib/input/use-input.ts'

let latest: Input<string>

function Field({ inputKey = 'form', ...options }: { inputKey?: string } & InputOptions<string>) {
  const input = useInput(inputKey, options)
  useEffect(() => {
    latest = input
  })
  return <TextField label="Text" input={input} hint={input.newer} />
}
const getField = () => screen.getByLabelText<HTMLInputElement>('Text')
const type = (value: string) => fireEvent.change(getField(), { target: { value } })

it('is there when its field comes back, until it is saved or the user signs out', () => {
  const view = render(<Field />)
  type('written')
  view.unmount()
  const second = render(<Field />)
  expect(getField().value).toBe('written')
  act(() => latest.markSaved(''))
  expect(getField().value).toBe('')
  type('for nobody else')
  second.unmount()
  removeInputs()
  render(<Field />)
  expect(getField().value).toBe('')
})

it('what is typed while it is saved stays, and is compared with what was saved', () => {
  render(<Field stored="a" />)
  type('ab')
  const sent = latest
  type('abc')
  act(() => sent.markSaved('ab'))
  expect([getField().value, latest.isDirty]).toEqual(['abc', true])
  type('ab ')
  expect(latest.isDirty).toBe(false)
})

it('what is discarded while it is saved does not come back', () => {
  render(<Field stored="old" />)
  type('new')
  const sent = latest
  act(() => latest.reset())
  act(() => sent.markSaved('new'))
  expect([latest.isOpen, latest.isDirty]).toEqual([false, false])
})

it('follows a change elsewhere while nothing is typed, and shows it beside what is', () => {
  const view = render(<Field stored="old" />)
  view.rerender(<Field stored="new" />)
  expect(getField().value).toBe('new')
  type('mine')
  view.rerender(<Field stored="newer" />)
  expect([getField().value, latest.newer]).toEqual(['mine', 'newer'])
  act(() => latest.reset())
  expect([getField().value, latest.newer]).toEqual(['newer', undefined])
})

it.each([
  ['ask', true, true],
  ['keep', false, true],
  ['forget', false, false],
] as const)('%s: leaving asks: %s; closing the page asks: %s', (onLeave, asksOnLeave, asksOnClose) => {
  const view = render(<Field onLeave={onLeave} />)
  expect([isLeaveGuarded(), canReloadSilently()]).toEqual([false, true])
  type('x')
  const leave = vi.fn<() => void>()
  requestLeave(leave)
  expect([isLeaveGuarded(), leave.mock.calls.length === 0, !canReloadSilently()]).toEqual([
    asksOnLeave,
    asksOnLeave,
    asksOnClose,
  ])
  view.unmount()
  expect([isLeaveGuarded(), !canReloadSilently()]).toEqual([false, asksOnClose])
})

it('closing the page asks if a text that belongs into storage could not be stored', () => {
  const Draft = () => <textarea aria-label="Text" {...bind(useDraftInput(`${draftPrefixes.text}u/c1:tab`))} />
  render(<Draft />)
  type('x')
  expect(canReloadSilently()).toBe(true)
  const write = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  type('xy')
  expect(canReloadSilently()).toBe(false)
  write.mockRestore()
})

it('a field that input of another release lacks is empty', () => {
  sessionStorage.setItem(
    'juno.entered:form',
    JSON.stringify({ value: { name: 'written' }, base: { name: '' } }),
  )
  function Form() {
    const input = useInput('juno.entered:form', { stored: { name: '', place: '' } })
    return (
      <>
        <TextField label="Name" input={input.at('name')} />
        <TextField label="Place" input={input.at('place')} />
      </>
    )
  }
  render(<Form />)
  expect(screen.getAllByRole<HTMLInputElement>('textbox').map((field) => field.value)).toEqual([
    'written',
    '',
  ])
})

it('100,000 characters are not written with every key', () => {
  const write = vi.spyOn(Storage.prototype, 'setItem')
  const Draft = () => <textarea aria-label="Text" {...bind(useDraftInput(`${draftPrefixes.text}u/c1:tab`))} />
  render(<Draft />)
  for (let count = 0; count < 20; count += 1) type('x'.repeat(100_000 + count))
  expect(write).not.toHaveBeenCalled()
  writeInputs()
  expect(write).toHaveBeenCalledOnce()
  write.mockRestore()
})

/** What an input method does: each key replaces the word that is composed, which then is confirmed. */
function compose(field: HTMLInputElement, states: readonly string[]) {
  fireEvent.compositionStart(field)
  const seen = states.map((value) => {
    fireEvent.input(field, { target: { value }, isComposing: true })
    return field.value
  })
  fireEvent.compositionEnd(field)
  return seen
}

it.each([
  ['other characters', (text: string) => text.normalize('NFKC'), ['１', '１２'], '12'],
  ['capitals', (text: string) => text.toUpperCase(), ['ａ', 'ａb'], 'ＡB'],
  ['a name', (text: string) => text.trim(), ['に ', 'にほ '], 'にほ'],
  ['one line', (text: string) => text.replaceAll('x', ' '), ['にx', 'にxほ'], 'に ほ'],
])('%s: nothing is rewritten before the input method has ended', (_, format, states, expected) => {
  const Formatted = () => <TextField label="Text" input={useInput('f')} format={format} />
  render(<Formatted />)
  expect(compose(getField(), states)).toEqual(states)
  expect(getField().value).toBe(expected)
})

it('a code is complete once, when its last digit is confirmed', () => {
  const onComplete = vi.fn<(code: string) => void>()
  const Code = () => (
    <CodeField label="Text" input={useInput('code')} error={undefined} busy={false} onComplete={onComplete} />
  )
  render(<Code />)
  compose(getField(), ['１２３４５', '１２３４５６'])
  expect(onComplete).toHaveBeenCalledExactlyOnceWith('123456')
})
