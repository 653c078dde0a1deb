import { render } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { expect, it, vi } from 'vitest'
import { useEscapeToLeave } from './use-escape-to-leave.ts'

it('Escape leaves from the moment the page is shown', () => {
  const onLeave = vi.fn<() => void>()
  function Page() {
    useEscapeToLeave(onLeave)
    useLayoutEffect(() => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    }, [])
    return null
  }
  render(<Page />)
  expect(onLeave).toHaveBeenCalledOnce()
})
