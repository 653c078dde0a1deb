import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Dialog } from './dialog.tsx'

it.each([
  ['in sight', 500, 'Client ID'],
  ['behind the buttons, which cover the rest of what the dialog scrolls', 640, 'Set up'],
  ['below the screen', 9_000, 'Set up'],
])('the focus begins in a field only if it is in sight: one %s', (_place, bottom, focused) => {
  vi.stubGlobal('innerHeight', 768)
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return this.tagName === 'FOOTER' ? new DOMRect(0, 600, 300, 60) : new DOMRect(0, bottom - 40, 300, 40)
  })
  render(
    <Dialog
      open
      onOpenChange={() => undefined}
      title="Set up"
      footer={<button type="button">Connect</button>}
    >
      <p>Steps</p>
      <input aria-label="Client ID" />
    </Dialog>,
  )
  const target = focused === 'Client ID' ? screen.getByLabelText(focused) : screen.getByRole('dialog')
  expect(document.activeElement).toBe(target)
})
