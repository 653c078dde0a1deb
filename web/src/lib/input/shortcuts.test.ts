import { expect, it, onTestFinished, vi } from 'vitest'
import { isShortcut, type ShortcutName } from './shortcuts.ts'

it.each<[string, ShortcutName, KeyboardEventInit, boolean]>([
  ['on an English layout', 'search', { key: 'k', code: 'KeyK', ctrlKey: true }, true],
  ['on a Mac', 'search', { key: 'k', code: 'KeyK', metaKey: true }, true],
  ['where the letter is elsewhere', 'undo', { key: 'z', code: 'KeyY', ctrlKey: true }, true],
  ['where another Latin letter is', 'undo', { key: 'y', code: 'KeyZ', ctrlKey: true }, false],
  ['on an Arabic layout', 'search', { key: 'ن', code: 'KeyK', ctrlKey: true }, true],
  ['on a Russian layout', 'newChat', { key: 'Щ', code: 'KeyO', ctrlKey: true, shiftKey: true }, true],
  ['on another key of a Russian layout', 'search', { key: 'л', code: 'KeyL', ctrlKey: true }, false],
  ['without its modifier', 'search', { key: 'ن', code: 'KeyK' }, false],
  ['with another modifier', 'search', { key: 'k', code: 'KeyK', ctrlKey: true, shiftKey: true }, false],
])('%s, %s is pressed with %j: %s', (_, name, init, isPressed) => {
  expect(isShortcut(new KeyboardEvent('keydown', init), name)).toBe(isPressed)
})

it('on a Mac, Ctrl is that of its fields: Ctrl + K deletes to the end of the line', () => {
  vi.stubGlobal('navigator', { platform: 'MacIntel' })
  onTestFinished(() => void vi.unstubAllGlobals())
  const press = (init: KeyboardEventInit) => new KeyboardEvent('keydown', { key: 'k', code: 'KeyK', ...init })
  expect(isShortcut(press({ ctrlKey: true }), 'search')).toBe(false)
  expect(isShortcut(press({ metaKey: true }), 'search')).toBe(true)
})
