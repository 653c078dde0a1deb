import { DeleteObjectsCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { newConversationIds, aRun, aTranscript } from '../../test/support/conversations.ts'
import { openTestTable } from '../../test/support/table.ts'
import { fileRepository } from '../files/file-repository.ts'
import { deleteExpiredFiles } from '../files/delete-files.ts'
import { openObjectStore } from '../platform/s3/object-store.ts'
import { finishRun, type EndedReply } from '../conversations/turns/finish-run.ts'
import { recoverRun } from '../conversations/turns/recover-run.ts'
import type { EndedStatus, Run } from '../conversations/store/run.ts'
import { stopRun } from '../conversations/turns/stop-run.ts'
import { openConversationStores } from '../conversations/store/conversation-stores.ts'
import { settingsRepository } from '../settings/settings-repository.ts'

process.env['LOG_LEVEL'] = 'silent'
const table = await openTestTable()
const attached = { files: fileRepository(table), store: openObjectStore('uploads') }
const stores = openConversationStores(table, attached)
const s3 = mockClient(S3Client)
beforeEach(() => s3.reset().on(DeleteObjectsCommand).resolves({}))
afterAll(() => table.close())

const uploadedFile = { id: 'uploaded', name: 'cat.png', type: 'image/png', size: 1 }
const generatedFile = { ...uploadedFile, id: 'generated' }
const question = {
  callId: 'c',
  kind: 'approval' as const,
  tool: 't',
  title: 'T',
  fingerprint: 'f',
  arguments: '{}',
  askedAtMs: 1,
}

/** Starts a turn with one file in the question and one that was generated for the reply. */
async function startTurnWithFiles({
  storeUploads = true,
  ...changes
}: Partial<Run> & { storeUploads?: boolean }) {
  const conversation = newConversationIds()
  const at = new Date().toISOString()
  await settingsRepository(table).update(conversation.sub, { store_uploads: storeUploads })
  for (const file of [uploadedFile, generatedFile, { ...uploadedFile, id: 'other' }])
    await attached.files.put(conversation.sub, { ...file, state: 'ready', created_at: at })
  const run = await stores.runs.claim(
    aRun({ ...conversation, fileIds: [uploadedFile.id], ...changes }),
    undefined,
  )
  if (run.isSaved)
    await stores.conversations.upsert(conversation.sub, conversation.sessionId, {
      title: 'A',
      addedMessages: 1,
      at,
      replacesTitle: false,
    })
  return run
}
const listFiles = async ({ sub }: Run) => {
  const all = await attached.files.listAll(sub)
  return all.map(({ id, expires_at }) => (expires_at === undefined ? id : `${id} expires`)).toSorted()
}
const sweepExpired = async ({ sub }: Run, nowMs: number) =>
  deleteExpiredFiles(attached, sub, { files: await attached.files.listAll(sub), nowMs })
const waitWithTurn = (run: Run) =>
  stores.runs.startWaiting(run, [question], aTranscript({ text: 'Shall I?', attachments: [generatedFile] }))
const toEndedReply = (status: EndedStatus): EndedReply => ({
  status,
  content: 'A cat',
  toolCalls: [],
  attachments: [generatedFile],
  hasCheckpoints: false,
})

describe('SET-13 DEC-033 the files of a turn', () => {
  it.each<[EndedStatus, string[], string[]]>([
    ['done', ['other'], ['other']],
    ['stopped', ['other'], ['other']],
    ['incomplete', ['other'], ['other']],
    // the message needs them when it is sent again
    [
      'failed',
      ['generated expires', 'other', 'uploaded expires'],
      ['generated expires', 'other', 'uploaded expires'],
    ],
  ])(
    'are deleted after a reply that is %s, in a temporary chat or when the user stores none',
    async (status, ...remainingFiles) => {
      const runWithoutUploads = await startTurnWithFiles({ storeUploads: false })
      await finishRun(stores, runWithoutUploads, toEndedReply(status))
      const temporaryRun = await startTurnWithFiles({ isSaved: false })
      await finishRun(stores, temporaryRun, toEndedReply(status))
      expect([await listFiles(runWithoutUploads), await listFiles(temporaryRun)]).toEqual(remainingFiles)
    },
  )

  it('stay otherwise', async () => {
    const run = await startTurnWithFiles({})
    await finishRun(stores, run, toEndedReply('done'))
    expect(await listFiles(run)).toEqual(['generated', 'other', 'uploaded'])
  })

  it('stay after a stop of a waiting reply, which keeps its images', async () => {
    const run = await startTurnWithFiles({})
    await waitWithTurn(run)
    expect(await stopRun(stores, run)).toMatchObject({ status: 'stopped' })
    expect(await listFiles(run)).toEqual(['generated', 'other', 'uploaded'])
    const { messages } = await stores.messages.loadNewest(run.sub, run.sessionId)
    expect(messages[0]).toMatchObject({ content: 'Shall I?', attachments: [generatedFile], ended: 'stopped' })
    expect((await attached.files.find(run.sub, generatedFile.id)).used_in).toEqual(new Set([run.sessionId]))
  })

  it.each<[string, { storeUploads?: boolean; isSaved?: boolean }]>([
    ['when no uploads are stored', { storeUploads: false }],
    ['in a temporary chat', { isSaved: false }],
  ])('are deleted with a waiting reply that is stopped %s', async (_, changes) => {
    const run = await startTurnWithFiles(changes)
    await waitWithTurn(run)
    await stopRun(stores, run)
    expect(await listFiles(run)).toEqual(['other'])
  })

  it('of a lost run: uploads are deleted at once after a stop, otherwise two days later', async () => {
    // no checkpoint names the generated image, so that it stays
    const lostRun = { heartbeatAtMs: Date.now() - 60_000, isSaved: false }
    const stoppedRun = await startTurnWithFiles(lostRun)
    await recoverRun(stores, await stores.runs.requestStop(stoppedRun, Date.now() - 30_000))
    expect(await listFiles(stoppedRun)).toEqual(['generated', 'other'])
    const interruptedRun = await startTurnWithFiles(lostRun)
    await recoverRun(stores, interruptedRun)
    expect(await listFiles(interruptedRun)).toEqual(['generated', 'other', 'uploaded expires'])
    const day = 86_400_000
    await sweepExpired(interruptedRun, Date.now() + day)
    expect(await listFiles(interruptedRun)).toEqual(['generated', 'other', 'uploaded expires'])
    await sweepExpired(interruptedRun, Date.now() + 2 * day)
    expect(await listFiles(interruptedRun)).toEqual(['generated', 'other'])
  })

  it('stay when the message is sent again and the user has turned on storing uploads meanwhile', async () => {
    const run = await startTurnWithFiles({ storeUploads: false })
    await finishRun(stores, run, toEndedReply('failed'))
    await stores.files.addReferences(run.sub, run.sessionId, [uploadedFile])
    expect(await listFiles(run)).toEqual(['generated expires', 'other', 'uploaded'])
  })
})
