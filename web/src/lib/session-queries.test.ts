import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import type { Session } from '#shared/contracts/sessions.ts'
import { forgetSession, rememberSession, sessionsQuery } from './session-queries.ts'

const session = (id: string, updated_at: string, message_count = 1): Session => ({
  id,
  user_id: 'u',
  title: id,
  created_at: '',
  updated_at,
  message_count,
})

function listOf(...sessions: Session[]) {
  const client = new QueryClient()
  client.setQueryData(sessionsQuery.queryKey, { sessions })
  return { client, ids: () => client.getQueryData(sessionsQuery.queryKey)?.sessions.map(({ id }) => id) }
}

it('HIST-24 puts a changed conversation where its time belongs', () => {
  const { client, ids } = listOf(session('a', '2026-11-20T09:00:00Z'), session('b', '2026-11-20T08:00:00Z'))
  rememberSession(client, session('b', '2026-11-20T10:00:00Z'))
  expect(ids()).toEqual(['b', 'a'])
})

it('HIST-23 lists none without real content', () => {
  const { client, ids } = listOf(session('a', '2026-11-20T09:00:00Z'))
  rememberSession(client, session('b', '2026-11-20T10:00:00Z', 0))
  expect(ids()).toEqual(['a'])
})

it('forgets a conversation, and never makes up a list that was not read', () => {
  const { client, ids } = listOf(session('a', ''), session('b', ''))
  forgetSession(client, 'a')
  expect(ids()).toEqual(['b'])
  const unread = new QueryClient()
  rememberSession(unread, session('a', ''))
  forgetSession(unread, 'a')
  expect(unread.getQueryData(sessionsQuery.queryKey)).toBeUndefined()
})
