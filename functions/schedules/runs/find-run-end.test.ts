import { expect, it } from 'vitest'
import type { ConversationStores } from '../../conversations/store/conversation-stores.ts'
import type { Run } from '../../conversations/store/run.ts'
import { findRunEnd } from './find-run-end.ts'
import { toRunEnd } from '../run-end.ts'

/** How the run of the message `m1` ended. @param run the newest one of its conversation @param messages what the conversation has */
const findEnd = (run: Partial<Run> | undefined, messages: readonly object[] = []) => {
  const found = run && { isSaved: true, heartbeatAtMs: Date.now(), updatedAtMs: Date.now(), ...run }
  const stores = {
    runs: { find: async () => found },
    messages: { loadNewest: async () => ({ messages, earlier: null }) },
  }
  return findRunEnd(stores as unknown as ConversationStores, 'ann', 's1', 'm1')
}

it.each<[Pick<Run, 'status' | 'errorCode'>, unknown]>([
  [{ status: 'running' }, 'running'],
  [{ status: 'waiting' }, { status: 'waiting' }],
  [{ status: 'done' }, { status: 'done' }],
  [{ status: 'stopped' }, { status: 'done' }],
  [{ status: 'incomplete' }, { status: 'failed', because: 'incomplete' }],
  [{ status: 'interrupted' }, { status: 'failed', because: 'interrupted' }],
  [{ status: 'failed' }, { status: 'failed', because: 'failed' }],
  [
    { status: 'failed', errorCode: { code: 'model_busy' } as Run['errorCode'] },
    { status: 'failed', because: 'model_busy' },
  ],
])('a run that is %j ends a run of its schedule as %j', (run, end) => {
  expect(toRunEnd(run)).toEqual(end)
})

it('the newest run of the conversation tells how it ended', async () => {
  expect(await findEnd({ messageId: 'm1', status: 'done' })).toEqual({ status: 'done' })
})

const message = { id: 'm1', kind: 'message', turn: 1 }
const later = [
  { id: 'm2', kind: 'message', turn: 2 },
  { id: 'r2', kind: 'reply', turn: 2, ended: 'failed' },
]

it.each<[string, object[], unknown]>([
  ['done', [message, { id: 'r1', kind: 'reply', turn: 1 }, ...later], { status: 'done' }],
  [
    'interrupted',
    [message, { id: 'r1', kind: 'reply', turn: 1, ended: 'interrupted' }, ...later],
    { status: 'failed', because: 'interrupted' },
  ],
  ['failed without a reply', [message, ...later], { status: 'failed', because: 'failed' }],
  ['unknown without its message', later, undefined],
  ['unknown without messages', [], undefined],
])('a run before the newest one is %s', async (_, messages, end) => {
  expect(await findEnd({ messageId: 'm2', status: 'failed' }, messages)).toEqual(end)
  expect(await findEnd(undefined, messages)).toEqual(end)
})
