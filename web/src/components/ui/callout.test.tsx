import { render, screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { expect, it, vi } from 'vitest'
import { announce } from '../../lib/browser/announce.ts'
import { Announcer } from './announcer.tsx'
import { Callout } from './callout.tsx'
import { Status } from './status.tsx'

it('an error is announced with its text', () => {
  const view = render(<Callout variant="warning">It failed.</Callout>)
  expect(screen.getByRole('alert').textContent).toBe('It failed.')
  view.rerender(<Callout variant="warning">It failed again.</Callout>)
  expect(screen.getByRole('alert').textContent).toBe('It failed again.')
})

it.each([
  ['a callout', () => <Callout variant="info">Copied</Callout>],
  ['a status', () => <Status>Copied</Status>],
  ['the announcer', Announcer],
])('the live region of %s is there before its text', (_, Region) => {
  announce('Copied')
  const readFirst = vi.fn<(text: string | null) => void>()
  function FirstCommit() {
    useLayoutEffect(() => readFirst(screen.getByRole('status').textContent), [])
    return null
  }
  render(
    <>
      <Region />
      <FirstCommit />
    </>,
  )
  expect(readFirst).toHaveBeenCalledExactlyOnceWith('')
  expect(screen.getByRole('status').textContent).toBe('Copied')
})
