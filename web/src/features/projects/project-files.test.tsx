import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Project } from '#shared/contracts/projects.ts'
import { ProjectFiles } from './project-files.tsx'

const aFile = (id: string, name: string, created_at: string) => ({
  id,
  name,
  created_at,
  type: 'text/plain',
  size: 100,
})

it('files of one name are told apart by when they were added', () => {
  const files = [
    aFile('a', 'prices.txt', '2026-11-20T09:00:00Z'),
    aFile('b', 'plan.txt', '2026-11-21T09:00:00Z'),
    aFile('c', 'prices.txt', '2026-11-22T09:00:00Z'),
  ]
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ProjectFiles project={{ files } as unknown as Project} upload={() => new Promise(() => undefined)} />
    </QueryClientProvider>,
  )
  const lines = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(lines).toEqual([
    expect.stringMatching(/^prices\.txt.*added .*20.*2026/),
    expect.not.stringContaining('added'),
    expect.stringMatching(/^prices\.txt.*added .*22.*2026.*newest of this name$/),
  ])
  const names = screen.getAllByRole('button', { name: /^Remove/ }).map((button) => button.ariaLabel)
  expect(new Set(names).size).toBe(3)
})
