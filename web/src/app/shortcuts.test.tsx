import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { setOpenDialog, useOpenDialog } from './open-dialog.ts'
import { listShortcuts, ShortcutsDialog } from './shortcuts-dialog.tsx'
import { useShortcuts } from './shortcuts.ts'

const onStartFresh = vi.fn<() => void>()

function Page() {
  useShortcuts(onStartFresh)
  return (
    <>
      <output>{useOpenDialog() ?? 'none'}</output>
      <input aria-label="field" />
    </>
  )
}
const shown = () => screen.getByRole('status').textContent
const press = (init: KeyboardEventInit, target: Element = document.body) => fireEvent.keyDown(target, init)

beforeEach(() => {
  onStartFresh.mockReset()
  act(() => setOpenDialog(null))
  render(<Page />)
})

it.each([{ ctrlKey: true }, { metaKey: true }])('K with %o searches, from a field too', (modifier) => {
  expect(press({ key: 'k', ...modifier }, screen.getByLabelText('field'))).toBe(false)
  expect(shown()).toBe('search')
})

it('Shift O with Ctrl starts a fresh chat, and closes what is open', () => {
  press({ key: 'k', ctrlKey: true })
  press({ key: 'O', ctrlKey: true, shiftKey: true })
  expect([onStartFresh.mock.calls.length, shown()]).toEqual([1, 'none'])
})

it('? shows the list, but is a letter where one writes', () => {
  press({ key: '?' }, screen.getByLabelText('field'))
  expect(shown()).toBe('none')
  press({ key: '?' })
  expect(shown()).toBe('shortcuts')
})

it('ignores other keys', () => {
  expect(press({ key: 'k' })).toBe(true)
  expect(press({ key: 'o', ctrlKey: true })).toBe(true)
  expect(shown()).toBe('none')
})

it.each([
  ['what the browser tells of the system', { platform: 'macOS' }, 'Linux x86_64', '⌘'],
  ['what it tells, before the obsolete name', { platform: 'Windows' }, 'MacIntel', 'Ctrl'],
  ['the obsolete name where it tells nothing', undefined, 'MacIntel', '⌘'],
  ['the obsolete name where it does not want to tell', { platform: '' }, 'iPhone', '⌘'],
])('the keys are named after the system: %s', (_, userAgentData, platform, modifier) => {
  vi.stubGlobal('navigator', { userAgentData, platform })
  expect(listShortcuts()[0]?.keys[0]).toBe(modifier)
  vi.unstubAllGlobals()
})

it('the list contains every shortcut', () => {
  render(<ShortcutsDialog onClose={() => undefined} />)
  for (const { action: does } of listShortcuts('Ctrl')) expect(screen.getByText(does)).toBeTruthy()
  expect(listShortcuts('⌘')[0]?.keys).toEqual(['⌘', 'K'])
})
