import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeApi } from '../../../test/support/fake-api.ts'
import { announcementStore } from '../lib/browser/announce.ts'
import { loadConfig } from '../lib/api/config.ts'
import { DemoNote } from './top-bar-parts.tsx'

it('a press on the note of the demo model shows and announces what it means', async () => {
  fakeApi({}, { config: { demo: { model: true, providers: false } } })
  await loadConfig()
  render(<DemoNote />)
  fireEvent.click(screen.getByRole('button', { name: 'Demo model' }))
  const explanation = 'Replies come from the built-in demo model until a model key is configured.'
  expect(screen.getByRole('tooltip').textContent).toBe(explanation)
  expect(announcementStore.getState().text).toBe(explanation)
})
