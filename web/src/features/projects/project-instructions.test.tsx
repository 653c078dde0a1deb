import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../test/support/render-page.tsx'
import { ProjectInstructions } from './project-instructions.tsx'

const project = {
  id: 'p',
  name: 'Trips',
  instructions: 'Say amber.',
  files: [],
  created_at: '2026-11-27T10:00:00.000Z',
  updated_at: '2026-11-27T10:00:00.000Z',
}
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))

it('copied instructions say whose they are, and are saved as they are', async () => {
  const bodies: unknown[] = []
  fakeApi({
    'projects.update': ({ body }) => {
      bodies.push(body)
      return { success: true, project }
    },
    'projects.list': () => ({ projects: [] }),
  })
  renderPage(<ProjectInstructions project={{ ...project, copied_from: 'Bot' }} />, '/projects/p')
  expect(
    screen.getByText(/^These instructions come from “Bot”, an assistant of somebody else\./),
  ).toBeTruthy()
  await press('Edit the instructions')
  await press('Save')
  // the field closes when the response has come
  await screen.findByRole('button', { name: 'Edit the instructions' })
  expect(bodies).toEqual([{ instructions: 'Say amber.', instructions_seen: 'Say amber.' }])
})

it('instructions of one’s own that were not changed are not saved', async () => {
  // a request would fail the test
  fakeApi({})
  renderPage(<ProjectInstructions project={project} />, '/projects/p')
  expect(screen.queryByText(/somebody else/)).toBeNull()
  await press('Edit the instructions')
  await press('Save')
  expect(screen.queryByRole('textbox')).toBeNull()
})
