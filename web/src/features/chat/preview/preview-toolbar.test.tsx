import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { toVersion } from './find-versions.ts'
import { PreviewToolbar } from './preview-toolbar.tsx'

it('the button to a version that is not there can keep the focus, and does nothing', () => {
  const choose = vi.fn<(index: number) => void>()
  render(
    <PreviewToolbar
      shown={toVersion({ kind: 'html', code: '<p>' })}
      index={1}
      newestIndex={1}
      count={2}
      isWriting={false}
      choose={choose}
      onClose={undefined}
    />,
  )
  const later = screen.getByRole('button', { name: 'Later version' })
  later.focus()
  fireEvent.click(later)
  expect(document.activeElement).toBe(later)
  expect(choose).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: 'Earlier version' }))
  expect(choose).toHaveBeenCalledExactlyOnceWith(0)
})

it('does not lead to a version that is still being written', () => {
  const choose = vi.fn<(index: number) => void>()
  render(
    <PreviewToolbar
      shown={toVersion({ kind: 'html', code: '<p>' })}
      index={0}
      newestIndex={0}
      count={2}
      isWriting
      choose={choose}
      onClose={undefined}
    />,
  )
  const later = screen.getByRole('button', { name: 'Later version' })
  expect(later.getAttribute('aria-disabled')).toBe('true')
  fireEvent.click(later)
  expect(choose).not.toHaveBeenCalled()
})
