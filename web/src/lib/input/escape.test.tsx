import { fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { Dialog } from 'radix-ui'
import { expect, it, vi } from 'vitest'
import { useEscape } from './escape.ts'
import { isEnter } from './keys.ts'

const handled = vi.fn<(surface: string) => void>()

function Surfaces({ names }: { names: readonly string[] }) {
  const field = useRef<HTMLInputElement>(null)
  const card = useRef<HTMLDivElement>(null)
  const use = (name: string) => (names.includes(name) ? () => handled(name) : undefined)
  useEscape('page', use('page'))
  useEscape('reply', use('reply'))
  useEscape(
    'card',
    use('card'),
    (target) => target instanceof Node && card.current?.contains(target) === true,
  )
  useEscape('field', use('field'), (target) => target === field.current)
  useEscape('tooltip', use('tooltip'))
  return (
    <>
      <div ref={card}>
        <input aria-label="Field" ref={field} />
        <input aria-label="Other field" />
      </div>
      <Dialog.Root open={names.includes('dialog')} onOpenChange={() => handled('dialog')}>
        <Dialog.Content aria-describedby={undefined}>
          <Dialog.Title>Dialog</Dialog.Title>
        </Dialog.Content>
      </Dialog.Root>
    </>
  )
}

const all = ['page', 'reply', 'dialog', 'card', 'field', 'tooltip']

it.each([
  ['tooltip', all],
  ['field', ['page', 'reply', 'dialog', 'card', 'field']],
  ['card', ['page', 'reply', 'dialog', 'card']],
  ['dialog', ['page', 'reply', 'dialog']],
  ['reply', ['page', 'reply']],
  ['page', ['page']],
])('Escape is for the topmost surface only: %s', (topmost, names) => {
  handled.mockReset()
  render(<Surfaces names={names} />)
  fireEvent.keyDown(screen.getByLabelText('Field'), { key: 'Escape' })
  expect(handled.mock.calls).toEqual([[topmost]])
})

it('Escape elsewhere is not for a field', () => {
  handled.mockReset()
  render(<Surfaces names={['reply', 'field']} />)
  fireEvent.keyDown(screen.getByLabelText('Other field'), { key: 'Escape' })
  expect(handled.mock.calls).toEqual([['reply']])
})

it.each([
  ['while it composes', { isComposing: true, keyCode: 229 }],
  ['after the composition, as Safari reports it', { isComposing: false, keyCode: 229 }],
])('no listener hears a key of an input method: %s', (_, state) => {
  handled.mockReset()
  const onKeyDown = vi.fn<(event: { key: string }) => void>()
  document.addEventListener('keydown', onKeyDown, true)
  render(
    <>
      <Surfaces names={all} />
      <input aria-label="Sends" onKeyDown={(event) => handled(isEnter(event) ? 'enter' : 'key')} />
    </>,
  )
  for (const key of ['Escape', 'Enter', 'ArrowUp'])
    for (const label of ['Field', 'Sends']) {
      // its default action is the input method's
      expect(fireEvent.keyDown(screen.getByLabelText(label), { key, ...state })).toBe(true)
    }
  expect(handled).not.toHaveBeenCalled()
  expect(onKeyDown).not.toHaveBeenCalled()
  document.removeEventListener('keydown', onKeyDown, true)
})
