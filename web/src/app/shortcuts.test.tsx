import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DocumentFlag } from '../components/ui/document-flag.tsx'
import { setCurrentDialog, useCurrentDialog } from './current-dialog.ts'
import { shortcuts } from '../lib/input/shortcuts.ts'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { useShortcuts } from './use-shortcuts.ts'

const onNewChat = vi.fn<() => void>()

function Page() {
  useShortcuts(onNewChat)
  return (
    <>
      <output>{useCurrentDialog() ?? 'none'}</output>
      <input aria-label="field" />
    </>
  )
}
const getOpenDialogName = () => screen.getByRole('status').textContent
const press = (init: KeyboardEventInit, target: Element = document.body) => fireEvent.keyDown(target, init)

beforeEach(() => {
  onNewChat.mockReset()
  act(() => setCurrentDialog(null))
  render(<Page />)
})

it('works from the moment the page is shown', () => {
  function NewPage() {
    useShortcuts(onNewChat)
    useLayoutEffect(() => {
      const init = { key: 'O', ctrlKey: true, shiftKey: true, bubbles: true }
      document.body.dispatchEvent(new KeyboardEvent('keydown', init))
    }, [])
    return null
  }
  cleanup()
  render(<NewPage />)
  expect(onNewChat).toHaveBeenCalledOnce()
})

describe.each([{ ctrlKey: true }, { metaKey: true }])('the modifier %o', (modifier) => {
  it.each([
    ['on the page', () => document.body],
    ['in a field', () => screen.getByLabelText('field')],
  ])('and K open the search %s', (_, findTarget) => {
    expect(press({ key: 'k', ...modifier }, findTarget())).toBe(false)
    expect(getOpenDialogName()).toBe('search')
  })
})

it('starts a new chat with Ctrl+Shift+O, and closes the open dialog', () => {
  press({ key: 'k', ctrlKey: true })
  expect(getOpenDialogName()).toBe('search')
  press({ key: 'O', ctrlKey: true, shiftKey: true })
  expect([onNewChat.mock.calls.length, getOpenDialogName()]).toEqual([1, 'none'])
})

it('shows the shortcuts with ?, but not in a field', () => {
  press({ key: '?' }, screen.getByLabelText('field'))
  expect(getOpenDialogName()).toBe('none')
  press({ key: '?' })
  expect(getOpenDialogName()).toBe('shortcuts')
})

it.each([{ key: 'k', ctrlKey: true }, { key: 'O', ctrlKey: true, shiftKey: true }, { key: '?' }])(
  'opens nothing above a dialog of the page: %o',
  (init) => {
    render(<DocumentFlag name="sheet" />)
    expect(press(init)).toBe(false)
    expect([onNewChat.mock.calls.length, getOpenDialogName()]).toEqual([0, 'none'])
  },
)

it.each([{ key: 'k', ctrlKey: true }, { key: 'O', ctrlKey: true, shiftKey: true }, { key: '?' }])(
  'does not close a dialog with the list of conversations from which it was opened: %o',
  (init) => {
    act(() => setCurrentDialog('history'))
    render(<DocumentFlag name="sheet" />)
    expect(press(init)).toBe(false)
    expect([onNewChat.mock.calls.length, getOpenDialogName()]).toEqual([0, 'history'])
  },
)

it('leaves K without a modifier and Ctrl+O to the browser', () => {
  expect(press({ key: 'k' })).toBe(true)
  expect(press({ key: 'o', ctrlKey: true })).toBe(true)
  expect(getOpenDialogName()).toBe('none')
})

it.each([
  ['Linux x86_64', ['Ctrl', 'Alt']],
  ['Win32', ['Ctrl', 'Alt']],
  ['MacIntel', ['⌘', '⌥']],
  ['iPhone', ['⌘', '⌥']],
])('shows the modifier keys of %s', (platform, [mod, alt]) => {
  vi.stubGlobal('navigator', { userAgent: navigator.userAgent, platform })
  render(<ShortcutsDialog onClose={() => undefined} />)
  const keys = screen
    .getAllByRole('definition')
    .map((combination) => Array.from(combination.children, ({ textContent }) => textContent))
  expect(keys[0]).toEqual([mod, 'K'])
  expect(keys).toContainEqual([alt, 'T'])
  vi.unstubAllGlobals()
})

it('the dialog lists every shortcut', () => {
  render(<ShortcutsDialog onClose={() => undefined} />)
  expect(screen.getAllByRole('term')).toHaveLength(Object.keys(shortcuts).length)
})
