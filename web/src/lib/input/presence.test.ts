import { afterEach, expect, it } from 'vitest'
import { watchPresence } from './presence.ts'

const open = (role: string) => {
  const dialog = document.createElement('div')
  dialog.setAttribute('role', role)
  document.body.append(dialog)
  return dialog
}
afterEach(() => document.body.replaceChildren())

it.each(['dialog', 'alertdialog'])(
  'a %s in front of the one of before means that the user has gone on',
  (role) => {
    open('dialog')
    const isHere = watchPresence()
    open(role)
    expect(isHere()).toBe(false)
  },
)

it('a dialog that stays or closes does not', () => {
  const dialog = open('dialog')
  const isHere = watchPresence()
  expect(isHere()).toBe(true)
  dialog.remove()
  expect(isHere()).toBe(true)
})

it('text that is typed does', () => {
  const field = document.createElement('input')
  document.body.append(field)
  const isHere = watchPresence()
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  expect(isHere()).toBe(false)
})
