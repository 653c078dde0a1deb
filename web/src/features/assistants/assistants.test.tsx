import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Assistant } from '#shared/contracts/assistants.ts'
import type { SavedPrompt } from '#shared/contracts/projects.ts'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../test/support/render-page.tsx'
import { AssistantList } from './assistant-list.tsx'
import { AssistantPage } from './assistant-page.tsx'
import { findShownPicture, hasAudience, toPublishForm, toPublishRequest } from './publish-form.ts'

const anAssistant = (changes: Partial<Assistant> = {}): Assistant => ({
  id: 'a',
  name: 'Order desk',
  description: 'Prices',
  starters: [],
  version: 4,
  published_at: '2026-11-09T10:00:00Z',
  mine: false,
  publisher: { name: 'Mika' },
  tools: [],
  ...changes,
})

const project = { id: 'p', name: 'Wholesale' }
const aPrompt = (text: string, project_id?: string): SavedPrompt => ({
  id: text,
  name: text,
  text,
  created_at: '',
  ...(project_id !== undefined && { project_id }),
})

it('a project is published first with its name and saved prompts, and for everyone only where there is no group', () => {
  const prompts = [aPrompt('Mine'), ...['1', '2', '3', '4', '5'].map((text) => aPrompt(text, 'p'))]
  const form = toPublishForm(project, { before: undefined, prompts, groups: ['sales'] })
  expect(form).toMatchObject({ name: 'Wholesale', starters: ['1', '2', '3', '4'], isForEveryone: false })
  expect(hasAudience(form)).toBe(false)
  expect(toPublishForm(project, { before: undefined, prompts, groups: [] }).isForEveryone).toBe(true)
})

it('the next version begins as the one before, without a group that its publisher has lost', () => {
  const before = anAssistant({ audience: { groups: ['lost', 'sales'] }, starters: ['Hello'], may_copy: true })
  const form = toPublishForm(project, { before, prompts: [], groups: ['sales'] })
  expect(toPublishRequest({ ...form, starters: [...form.starters, '  '], news: ' ' })).toEqual({
    name: 'Order desk',
    description: 'Prices',
    starters: ['Hello'],
    audience: { groups: ['sales'] },
    may_copy: true,
  })
})

it('a picture stays with the next version, is replaced, or removed', () => {
  const before = anAssistant({ picture: { url: 'https://uploads.example/1' } })
  const form = toPublishForm(project, { before, prompts: [], groups: [] })
  const url = 'data:image/webp;base64,UklGRg=='
  const publish = (picture?: string | null) => {
    const next = { ...form, ...(picture !== undefined && { picture }) }
    return [findShownPicture(next, before), toPublishRequest(next).picture]
  }
  expect(publish()).toEqual(['https://uploads.example/1', undefined])
  expect(publish(url)).toEqual([url, 'UklGRg=='])
  expect(publish(null)).toEqual([undefined, null])
})

it('is shown with its picture, and with letters where its link has ended', async () => {
  openPage([anAssistant({ picture: { url: 'https://uploads.example/1' } })])
  await screen.findByRole('heading', { name: 'Order desk' })
  const pictures = document.querySelectorAll('img')
  expect([...pictures].map(({ src }) => src)).toEqual(Array(2).fill('https://uploads.example/1'))
  expect(screen.queryByText('OR')).toBeNull()
  for (const picture of pictures) fireEvent.error(picture)
  expect(screen.getAllByText('OR')).toHaveLength(2)
})

function openPage(assistants: readonly Assistant[] | Error, connectedIds?: readonly string[]) {
  fakeApi({
    'assistants.list': () => {
      if (assistants instanceof Error) throw assistants
      return { assistants: [...assistants], publishing: { allowed: true, groups: [] } }
    },
  })
  renderPage(
    <>
      <AssistantList onChosen={() => undefined} />
      <AssistantPage assistantId="a" connectedIds={connectedIds} renderComposer={() => <p>composer</p>} />
    </>,
  )
}

it.each([
  [undefined, 0],
  [['gmail'], 1],
  [['gmail', 'drive'], 0],
])('connected %j: the page offers to connect what is missing, %i times', async (connectedIds, count) => {
  const tools = [
    { id: 'gmail', name: 'Gmail' },
    { id: 'drive', name: 'Google Drive' },
  ]
  openPage([anAssistant({ tools })], connectedIds)
  await screen.findByText('By Mika · version 4 · your messages stay yours')
  expect(screen.queryAllByText('It can also use Google Drive, which you have not connected.')).toHaveLength(
    count,
  )
})

it.each([
  [{}, false],
  [{ may_copy: true }, true],
  [{ may_copy: true, mine: true, project_id: 'p' }, false],
] as const)('with %j, a copy is offered: %s', async (changes, isOffered) => {
  openPage([anAssistant(changes)])
  await screen.findByRole('heading', { name: 'Order desk' })
  expect(screen.queryByRole('button', { name: 'Copy to my projects' }) !== null).toBe(isOffered)
})

it('one that is not there says so, and a list without any takes no room', async () => {
  openPage([])
  await screen.findByText('There is no such assistant here. It may have been withdrawn.')
  expect(screen.queryByText('From your team')).toBeNull()
})

it('a list that cannot be loaded says so, in the panel and on the page', async () => {
  openPage(new TypeError('lost'))
  await screen.findByText('The assistants could not be loaded.')
  expect(screen.getAllByRole('button', { name: 'Try again' })).toHaveLength(2)
  expect(screen.getAllByRole('alert')).toHaveLength(2)
})
