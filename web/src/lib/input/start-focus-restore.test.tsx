import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startFocusRestore } from './start-focus-restore.ts'

let stop: () => void
afterEach(() => stop())
beforeEach(() => {
  stop = startFocusRestore()
  render(
    <main>
      <h1>Page</h1>
      <form aria-label="Settings">
        <input aria-label="Limit" />
        <div id="bar">
          <button type="button">Save</button>
        </div>
      </form>
      <section aria-label="Available">
        <article aria-label="Gmail">
          <button type="button">Connect</button>
        </article>
      </section>
      <p>
        <button type="button">Alone</button>
      </p>
    </main>,
  )
})

const focus = (name: string) => {
  const button = screen.getByRole('button', { name })
  button.focus()
  return button
}
const findFocus = () =>
  waitFor(() => {
    if (document.activeElement === document.body) throw new Error('nothing has the focus')
    return document.activeElement
  })

it('a button of a form that disappears gives the focus to the field before it', async () => {
  screen.getByLabelText('Limit').focus()
  focus('Save')
  document.querySelector('#bar')?.remove()
  expect(await findFocus()).toBe(screen.getByLabelText('Limit'))
})

it('to the form, if nothing of it had the focus before', async () => {
  focus('Alone')
  focus('Save')
  document.querySelector('#bar')?.remove()
  expect(await findFocus()).toBe(screen.getByRole('form'))
})

it('a button of a card gives it to the card, and a card to its section', async () => {
  focus('Connect').remove()
  const card = screen.getByRole('article')
  expect(await findFocus()).toBe(card)
  card.remove()
  expect(await findFocus()).toBe(screen.getByRole('region'))
})

it('a button without surroundings gives it to the heading', async () => {
  focus('Alone').remove()
  expect(await findFocus()).toBe(screen.getByRole('heading'))
})

it.each(['dialog', 'alertdialog'])('an open %s gets the focus first', async (role) => {
  const dialog = document.createElement('div')
  dialog.setAttribute('role', role)
  document.body.append(dialog)
  focus('Save').remove()
  expect(await findFocus()).toBe(dialog)
  dialog.remove()
})

it('a press elsewhere takes the focus away for good', () => {
  const save = focus('Save')
  save.blur()
  fireEvent.pointerDown(document.body)
  save.remove()
  expect(document.activeElement).toBe(document.body)
})
