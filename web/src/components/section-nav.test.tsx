import { User } from 'lucide-react'
import { expect, it, vi } from 'vitest'
import { renderPage } from '../../../test/support/render-page.tsx'
import { SectionNav } from './section-nav.tsx'

it('a row of sections scrolls to the one that is shown', () => {
  const scrolledTo: string[] = []
  Element.prototype.scrollIntoView = vi.fn<(this: Element) => void>(function (this: Element) {
    scrolledTo.push(this.textContent)
  })
  const sections = ['Users', 'Site', 'Log'].map((label) => ({
    id: label,
    label,
    path: `/${label}`,
    Icon: User,
  }))
  renderPage(<SectionNav isRow label="Sections" groups={[{ sections }]} current="Log" />)
  expect(scrolledTo).toEqual(['Log'])
})
