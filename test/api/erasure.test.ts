import { describe, expect, it } from 'vitest'
import { addTool, canaryFor, connect, converse, notes } from '../support/belongings.ts'
import { findOccurrences } from '../support/every-store.ts'
import { says } from '../support/fake-model-server.ts'
import { signOlderToken } from '../support/forged-tokens.ts'
import { pausableReply } from '../support/pausable-reply.ts'
import { ask } from '../support/read-along.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { enrol, redeem, switchOffAtCognito, wrongAppCode } from '../support/two-factor.ts'
import { uploadDocument, uploadFile } from '../support/upload.ts'
import { webpOf } from '../support/webp-of.ts'

const { model, stack, table } = await scriptedStack('The answer.')

const webp = webpOf(['VP8 ', Buffer.alloc(100)]).toString('base64')
const toBody = (content: string) => ({ messages: [{ role: 'user' as const, content }] })
const confirm = { body: { confirm: 'DELETE' as const } }

describe('erasure', () => {
  it('deletes everything, returns a receipt with the date when backups expire, and can be repeated', async () => {
    const user = await stack.newUser()
    const other = await stack.newUser()
    const canary = canaryFor(user)
    await converse(other, 'Stays')
    model.behave(says(`${canary} answer`))
    await converse(user, `${canary} question`)
    const [erasedFile, otherFile] = await Promise.all([
      uploadFile(user, { ...notes, name: `${canary}.txt`, content: canary }),
      uploadFile(other, notes),
    ])
    await user.call('schedules.create', {
      body: { prompt: canary, rule: { kind: 'daily', time: '08:00' }, time_zone: 'UTC' },
    })
    await connect(user)
    await addTool(user)
    await user.call('oauth.handle', {
      body: {
        action: 'initiate',
        mcpId: 'asana',
        clientId: canary,
        environment: 'production',
        redirectUri: `${stack.origin}/oauth/callback`,
      },
    })
    const { avatar_id } = await user.call('account.uploadAvatar', { body: { data: webp } })
    await user.call('account.save', { body: { display_name: canary, avatar_id } })
    await user.call('account.settings', { body: { theme: 'dark' } })
    await user.call('memory.add', { body: { text: canary } })
    await user.call('projects.create', { body: { name: canary, instructions: canary } })
    await user.call('prompts.create', { body: { name: canary, text: canary } })
    const { backupCodes } = await enrol(user)
    const stores = await findOccurrences(stack, canary)
    expect(stores).toContain('table')
    expect(stores).toContain('secrets.json')
    expect(stores.some((store) => store.startsWith('objects/'))).toBe(true)

    const { done, receipt } = await user.call('account.erase', confirm)
    expect(done).toBe(true)
    expect(receipt.held).toEqual({
      conversations: 1,
      messages: 2,
      files: 1,
      integrations: 1,
      credentials: 1,
      custom_tools: 1,
      tool_calls: 0,
      memories: 1,
      projects: 1,
    })
    // a laptop's database has no backups
    expect(receipt).not.toHaveProperty('backups_end_at')
    expect(await findOccurrences(stack, canary)).toEqual([])
    // only in the mark that revokes their tokens
    expect((await table.readAllAsText()).split(user.sub)).toHaveLength(2)
    expect((await fetch(erasedFile.url ?? '')).status).toBe(404)
    expect((await fetch(otherFile.url ?? '')).status).toBe(200)
    const refused = await redeem(stack, { email: user.email, token: backupCodes[0], isBackupCode: true })
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_code' } })

    expect((await user.send('account.read')).status).toBe(401)
    expect((await user.call('account.erase', confirm)).done).toBe(true)
    expect(await table.readRows(user.sub)).toEqual([])
    expect((await other.call('sessions.list')).sessions).toHaveLength(1)
  })

  it(
    'deletes objects without a row: an abandoned upload, and a file whose row is gone',
    { tags: 'long' },
    async () => {
      const user = await stack.newUser()
      const canary = canaryFor(user)
      const file = await uploadFile(user, { ...notes, content: canary })
      await table.delete(user.sub, `A#${file.id}`)
      const { upload } = await user.call('files.presign', {
        body: { name: 'late.txt', type: 'text/plain', size: canary.length },
      })
      const form = new FormData()
      for (const [name, value] of Object.entries(upload.fields)) form.append(name, value)
      form.append('file', new Blob([canary]))
      expect((await fetch(upload.url, { method: 'POST', body: form })).ok).toBe(true)
      expect(await findOccurrences(stack, canary)).toHaveLength(2)
      expect((await user.call('account.erase', confirm)).done).toBe(true)
      expect(await findOccurrences(stack, canary)).toEqual([])
    },
  )

  it('deletes what is left of a tool whose removal was interrupted', { tags: 'long' }, async () => {
    const user = await stack.newUser()
    const { tool } = await addTool(user)
    const row = (await table.readRows(user.sub)).find(({ SK }) => SK === `T#${tool.id}`)
    await table.put(user.sub, `T#${tool.id}`, { ...row, is_active: false, masks: {} })
    expect(await findOccurrences(stack, canaryFor(user))).toEqual(['secrets.json'])
    await user.call('account.erase', confirm)
    expect(await findOccurrences(stack, canaryFor(user))).toEqual([])
  })

  it('stops a reply that is being written, and nothing of it comes back', { tags: 'long' }, async () => {
    const user = await stack.newUser()
    const paused = pausableReply(`${canaryFor(user)} late`)
    model.behave(paused.behaviour)
    const sessionId = crypto.randomUUID()
    const reading = ask(user, { ...toBody(canaryFor(user)), sessionId })
    await reading.until(({ text }) => text().includes('late'))
    await user.call('account.erase', confirm)
    await reading.finished
    expect(await table.readRows(user.sub)).toEqual([])
    expect(await findOccurrences(stack, canaryFor(user))).toEqual([])
  })

  it('the same e-mail can sign up again and finds nothing', { tags: 'trial' }, async () => {
    const user = await stack.newUser()
    await converse(user, 'Before')
    await user.call('account.erase', confirm)
    const again = await stack.newUser({ email: user.email })
    expect(again.sub).not.toBe(user.sub)
    expect(await again.call('sessions.list')).toEqual({ sessions: [] })
  })

  it(
    'DEC-020 with two-factor on it requires a code, a backup code or a sign-in within five minutes',
    { tags: 'trial' },
    async () => {
      const eraseWithOldToken = async (user: StackUser, ageSeconds: number, proof: object = {}) => {
        const token = await signOlderToken(stack.dataDir, user.accessToken, ageSeconds)
        const headers = { authorization: `Bearer ${token}` }
        return user.send('account.erase', { body: { confirm: 'DELETE', ...proof }, headers })
      }
      const [byCode, byBackupCode, recentUser, userWithoutFactor] = await Promise.all(
        Array.from({ length: 4 }, () => stack.newUser()),
      )
      if (!byCode || !byBackupCode || !recentUser || !userWithoutFactor) throw new Error('no users')
      const app = await enrol(byCode)
      await converse(byCode, 'Still here')
      expect(await eraseWithOldToken(byCode, 301)).toMatchObject({
        status: 403,
        body: { code: 'proof_required' },
      })
      const wrongCode = wrongAppCode(app.secret)
      expect(await eraseWithOldToken(byCode, 301, { token: wrongCode })).toMatchObject({
        status: 400,
        body: { code: 'invalid_code' },
      })
      // a code does not replace a sign-in within fifteen minutes
      expect(await eraseWithOldToken(byCode, 901, { token: app.code(1) })).toMatchObject({
        status: 403,
        body: { code: 'sign_in_again' },
      })
      expect((await byCode.call('sessions.list')).sessions).toHaveLength(1)
      expect(await eraseWithOldToken(byCode, 301, { token: app.code(1) })).toMatchObject({ status: 200 })

      const { backupCodes } = await enrol(byBackupCode)
      const token = backupCodes[3]
      expect(await eraseWithOldToken(byBackupCode, 301, { token, isBackupCode: true })).toMatchObject({
        status: 200,
      })
      // a factor that was switched off at Cognito with a stolen token still protects the account
      await enrol(recentUser)
      await switchOffAtCognito(stack, recentUser)
      expect(await eraseWithOldToken(recentUser, 301)).toMatchObject({
        status: 403,
        body: { code: 'proof_required' },
      })
      expect(await eraseWithOldToken(recentUser, 240)).toMatchObject({ status: 200 })
      expect(await eraseWithOldToken(userWithoutFactor, 301)).toMatchObject({ status: 200 })
    },
  )
})

describe('DEC-033 the settings for storing', () => {
  it(
    'SET-12 SET-13 leave no word of a temporary chat, and of files that are not stored, in any store',
    { tags: 'long' },
    async () => {
      const user = await stack.newUser()
      await user.call('account.settings', { body: { keep_conversations: false, store_uploads: false } })
      const file = { ...notes, content: `${canaryFor(user)} file` }
      const { attachment } = await uploadDocument(user, file)
      expect(await findOccurrences(stack, canaryFor(user))).not.toEqual([])
      model.behave(says(canaryFor(user)))
      const messages = [{ role: 'user' as const, content: canaryFor(user), attachments: [attachment] }]
      await user.call('chat.send', { body: { messages, sessionId: crypto.randomUUID() } })
      expect(JSON.stringify(model.requests.at(-1))).toContain(`${canaryFor(user)} file`)
      expect(await findOccurrences(stack, canaryFor(user))).toEqual([])
    },
  )
})
