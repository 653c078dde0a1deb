import { fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderPage } from '../../../test/support/render-page.tsx'
import { PanelLink } from './panel-link.tsx'

it('the panel stays open when a link of it is opened in another tab', () => {
  const onChosen = vi.fn<() => void>()
  renderPage(
    <PanelLink to="/waiting" icon={null} onChosen={onChosen}>
      Waiting for you
    </PanelLink>,
  )
  const link = screen.getByRole('link')
  fireEvent.click(link, { ctrlKey: true })
  fireEvent.click(link, { metaKey: true })
  expect(onChosen).not.toHaveBeenCalled()
  fireEvent.click(link)
  expect(onChosen).toHaveBeenCalledOnce()
})
