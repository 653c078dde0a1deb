import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { createRef } from 'react'
import { expect, it } from 'vitest'
import { assistantPromptsQuery, promptsQuery } from '../../../lib/queries/prompt-queries.ts'
import { PromptMenu } from './prompt-menu.tsx'

const times = { created_at: '', updated_at: '' }
const prompts = [
  { id: '1', name: 'Résumé check', text: 'Check this paper.', ...times },
  { id: '2', name: 'Translate', text: 'Into English, at once.', ...times },
  { id: '3', name: '翻訳', text: '日本語に翻訳してください。', ...times },
  { id: '4', name: 'Other project', text: 'x', project_id: 'p2', ...times },
]

function listOffered(text: string): (string | null | undefined)[] {
  const client = new QueryClient()
  client.setQueryData(promptsQuery.queryKey, prompts)
  client.setQueryData(assistantPromptsQuery('a1').queryKey, [
    { id: 'a1-0', name: 'Lisbon offer', text: 'Write it', created_at: '' },
  ])
  render(
    <QueryClientProvider client={client}>
      <PromptMenu input={createRef()} text={text} projectId="p1" assistantId="a1" />
    </QueryClientProvider>,
  )
  return screen
    .queryAllByRole('option')
    .map(({ firstElementChild }) => firstElementChild?.textContent ?? null)
}

it.each([
  ['/', ['Résumé check', 'Translate', '翻訳', 'Lisbon offer']],
  ['／', ['Résumé check', 'Translate', '翻訳', 'Lisbon offer']],
  ['/lisbon', ['Lisbon offer']],
  ['/resume', ['Résumé check']],
  ['/RÉSUMÉ', ['Résumé check']],
  ['/resume check', ['Résumé check']],
  ['/resume ', ['Résumé check']],
  ['/ｔｒａｎｓ', ['Translate']],
  ['、翻訳', ['翻訳']],
  ['/english', ['Translate']],
  // words of a text are those of a message
  ['/this paper', []],
  ['/etc/hosts what is it', []],
  ['/resume\n', []],
  [`/${'resume'.repeat(50)}`, []],
])('%j offers %j', (text, names) => {
  expect(listOffered(text)).toEqual(names)
})
