import type { ServerTask } from '../platform/server-task.ts'
import { expect, it } from 'vitest'
import { getTask, type TaskClient } from './tasks.ts'

it('forgets the expiry and the message of a task once its server no longer sends them', async () => {
  const task: ServerTask = { id: 'task-1', server: 's', createdAtMs: 1, pollMs: 1_000, answered: ['month'] }
  const requestState = (from: ServerTask, state: object) => {
    const request = async () => ({ taskId: 'task-1', status: 'working', pollIntervalMs: 1_000, ...state })
    return getTask({ request } as unknown as TaskClient, 'Reports', from, {})
  }
  const first = await requestState(task, { ttlMs: 60_000, statusMessage: 'Counting' })
  expect(first).toEqual({
    status: 'working',
    task: { ...task, expiresAtMs: 60_001, message: 'Counting' },
  })
  if (first.status !== 'working') throw new Error('the task does not continue')
  expect(await requestState(first.task, { ttlMs: null })).toEqual({ status: 'working', task })
})
