import { render, screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { announce, announcementStore } from '../../lib/announce.ts'
import { useAnnouncedText } from '../../lib/use-announced-text.ts'
import { Announcer } from './announcer.tsx'
import { Callout } from './callout.tsx'

const announced: string[] = []
const stop = announcementStore.subscribe(() => announced.push(announcementStore.getState().text))
afterEach(() => void announced.splice(0))
afterAll(stop)

it('an information is announced when it appears and when its text changes, once each', () => {
  const view = render(<Callout variant="info">An e-mail is on its way.</Callout>)
  view.rerender(<Callout variant="info">An e-mail is on its way.</Callout>)
  view.rerender(<Callout variant="info">Another one is on its way.</Callout>)
  expect(announced).toEqual(['An e-mail is on its way.', 'Another one is on its way.'])
  // the live region of the page announces it
  expect(screen.queryByRole('status')).toBeNull()
})

it('a text that comes back is announced again', () => {
  function Note({ text }: { text: string | undefined }) {
    return <p ref={useAnnouncedText<HTMLParagraphElement>()}>{text}</p>
  }
  const view = render(<Note text="Connection lost." />)
  view.rerender(<Note text={undefined} />)
  view.rerender(<Note text="Connection lost." />)
  expect(announced).toEqual(['Connection lost.', 'Connection lost.'])
})

it('an error announces itself', () => {
  render(<Callout variant="danger">It failed.</Callout>)
  expect(screen.getByRole('alert').textContent).toBe('It failed.')
  expect(announced).toEqual([])
})

it('the live region is there before the text that was announced while it was loaded', () => {
  announce('Copied')
  const readFirst = vi.fn<(text: string | null) => void>()
  function FirstCommit() {
    useLayoutEffect(() => readFirst(screen.getByRole('status').textContent), [])
    return null
  }
  render(
    <>
      <Announcer />
      <FirstCommit />
    </>,
  )
  expect(readFirst).toHaveBeenCalledExactlyOnceWith('')
  expect(screen.getByRole('status').textContent).toBe('Copied')
})
