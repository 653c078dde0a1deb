import { fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../test/support/render-page.tsx'
import { SettingsPage } from './settings-page.tsx'

it('a section can be chosen again after scrolling away from it', async () => {
  fakeApi({})
  const scrollIntoView = vi.fn<() => void>()
  Element.prototype.scrollIntoView = scrollIntoView
  renderPage(<SettingsPage user={{ sub: 'u1', email: 'ann@example.org', fullName: '' }} importCard={null} />)
  document.body.append(Object.assign(document.createElement('div'), { id: 'usage' }))
  const list = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Sections' })
  for (const times of [1, 2]) {
    fireEvent.change(list, { target: { value: 'usage' } })
    expect(scrollIntoView).toHaveBeenCalledTimes(times)
    // browsers report a change only where the value is another one
    expect(list.value).toBe('')
  }
  expect(location.hash).toBe('#usage')
})
