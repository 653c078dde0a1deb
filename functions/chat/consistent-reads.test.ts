import { BatchGetCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, expect, it } from 'vitest'
import { aRun } from '../../test/support/conversations.ts'
import { says } from '../../test/support/fake-model-server.ts'
import {
  startInProcessFunctions,
  type InProcessUser,
  watchTable,
} from '../../test/support/in-process-functions.ts'
import { reattach } from '../../test/support/read-along.ts'

const backend = await startInProcessFunctions()
afterAll(() => backend.close())

/** Records the reads of a user's rows during an action: the sort key or its beginning, and whether the read is consistent. */
async function recordReads(action: () => Promise<unknown>) {
  const reads: { sortKey: string; isConsistent: boolean }[] = []
  watchTable((command) => {
    if (command instanceof GetCommand)
      reads.push({
        sortKey: String(command.input.Key?.['SK']),
        isConsistent: command.input.ConsistentRead === true,
      })
    if (command instanceof QueryCommand) {
      const values = command.input.ExpressionAttributeValues ?? {}
      const sortKey = String(values[':prefix'] ?? values[':from'] ?? values[':first'])
      reads.push({ sortKey, isConsistent: command.input.ConsistentRead === true })
    }
    if (command instanceof BatchGetCommand)
      for (const { Keys = [], ConsistentRead } of Object.values(command.input.RequestItems ?? {}))
        reads.push(...Keys.map(({ SK }) => ({ sortKey: String(SK), isConsistent: ConsistentRead === true })))
    return undefined
  })
  await action()
  return reads.filter(({ sortKey }) => /^(?:S|M|RUN|LOG)#/.test(sortKey))
}

const params = { sessionId: 's1' }
const say = (user: InProcessUser, messageId: string, more: object = {}) =>
  user.call('chat.send', {
    body: { sessionId: 's1', messageId, messages: [{ role: 'user', content: 'Hello' }], ...more },
  })

/** A second tab may read right after the first one has written, and what it reads decides what is written next. */
it('all reads of a conversation are strongly consistent', async () => {
  backend.model.behave(says('Hi!'))
  const user = await backend.newUser()
  const reads = await recordReads(async () => {
    await say(user, 'm1')
    await say(user, 'm1')
    await say(user, 'm2', { replaces: 'm1' })
    await user.call('sessions.read', { params })
    await user.call('sessions.list')
    await user.call('sessions.corpus')
    await user.call('sessions.export', { params, query: { format: 'json' } })
    await reattach(user, 's1').finished
    const endedRun = await backend.stores.runs.find(user.sub, 's1')
    const lostRun = aRun({ sub: user.sub, sessionId: 's1', turn: 3, heartbeatAtMs: 1, startedAtMs: 1 })
    await backend.stores.runs.claim(lostRun, endedRun)
    await user.call('sessions.read', { params })
    await user.call('sessions.delete', { params })
  })
  const rowKinds = new Set(reads.map(({ sortKey }) => sortKey.split('#')[0]))
  expect(rowKinds).toEqual(new Set(['S', 'M', 'RUN', 'LOG']))
  expect(reads.filter(({ isConsistent }) => !isConsistent)).toEqual([])
})
