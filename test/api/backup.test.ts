import {
  ConfirmForgotPasswordCommand,
  ForgotPasswordCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminGroup } from '#shared/user-pool.ts'
import { childEnvironment } from '../support/child-environment.ts'
import { converse, notes } from '../support/belongings.ts'
import { grantAdmin } from '../support/grant-admin.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { openStackTable } from '../support/stack-table.ts'
import { openUserPool, signInUser, type StackUser } from '../support/stack-user.ts'
import { enrol } from '../support/two-factor.ts'
import { uploadDocument } from '../support/upload.ts'

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'juno-backup-'))
const backup = join(folder, 'first')

let source: LocalStack
let target: LocalStack
beforeAll(async () => {
  ;[source, target] = await Promise.all([startStack(), startStack()])
})
afterAll(async () => {
  await Promise.all([source.stop(), target.stop()])
  await rm(folder, { recursive: true, force: true })
})

/** Runs a command of the operator on a stack. */
async function operate(stack: LocalStack, name: string, ...options: string[]): Promise<string> {
  const { stdout } = await run(
    process.execPath,
    [`infra/operate/${name}.ts`, '--url', stack.origin, ...options],
    { env: { ...childEnvironment, LOCAL_DATA_DIR: stack.dataDir } },
  )
  return stdout
}

/** Sets a password by the code in the mail, as a user does whose password is not known to anybody, and signs in. */
async function signInAnew({ email, name }: StackUser): Promise<StackUser> {
  const { cognito } = await target.endpoints()
  const { client, ClientId } = await openUserPool({ origin: target.origin, cognito })
  try {
    await client.send(new ForgotPasswordCommand({ ClientId, Username: email }))
    const [mail] = await target.mail(email)
    const ConfirmationCode = /\b\d{6}\b/.exec(JSON.stringify(mail))?.[0] ?? ''
    const password = 'another horse'
    await client.send(
      new ConfirmForgotPasswordCommand({ ClientId, Username: email, ConfirmationCode, Password: password }),
    )
    const signedIn = await signInUser({ origin: target.origin, cognito }, { email, name, password, sub: '' })
    const payload = signedIn.accessToken.split('.')[1] ?? ''
    const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string }
    return { ...signedIn, sub }
  } finally {
    client.destroy()
  }
}

/** What a user has, by the API. */
async function readAll(user: StackUser) {
  const [{ sessions }, { attachments }, { schedules }, { assistants }, { shares }, { memories }, { projects }] =
    await Promise.all([
      user.call('sessions.list'),
      user.call('files.list'),
      user.call('schedules.list'),
      user.call('assistants.list'),
      user.call('shares.list'),
      user.call('memory.list'),
      user.call('projects.list'),
    ])
  const conversations = await Promise.all(
    sessions.map(async ({ id }) => {
      const { messages } = await user.call('sessions.read', { params: { sessionId: id } })
      return { id, texts: messages.map(({ content }) => content) }
    }),
  )
  const contents = await Promise.all(
    attachments.map(async ({ id, name }) => {
      const { url } = await user.call('files.link', { params: { attachmentId: id } })
      return { id, name, text: await (await fetch(url)).text() }
    }),
  )
  return {
    conversations: conversations.toSorted((a, b) => a.id.localeCompare(b.id)),
    contents,
    schedules: schedules.map(({ id, prompt }) => ({ id, prompt })),
    assistants: assistants.map(({ id, name, mine }) => ({ id, name, mine })),
    shares: shares.map(({ id, title }) => ({ id, title })),
    memories,
    projects: projects.map(({ id, name }) => ({ id, name })),
  }
}

const openLink = async (stack: LocalStack, secret: string) =>
  fetch(`${stack.origin}/api/shared-conversation`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret, page: 1 }),
  })

async function fill(user: StackUser, word: string) {
  const sessionId = await converse(user, `${word} question`)
  const { attachment } = await uploadDocument(user, { ...notes, name: `${word}.txt`, content: `${word} file` })
  await user.call('chat.send', {
    body: {
      sessionId: crypto.randomUUID(),
      messages: [{ role: 'user', content: `${word} with a file`, attachments: [attachment] }],
    } as never,
  })
  await user.call('schedules.create', {
    body: { prompt: word, rule: { kind: 'daily', time: '08:00' }, time_zone: 'UTC' },
  })
  const { project } = await user.call('projects.create', { body: { name: word, instructions: word } })
  await user.call('assistants.publish', { params: { projectId: project.id }, body: { audience: 'everyone' } })
  await user.call('memory.add', { body: { text: `${word} memory` } })
  const { share } = await user.call('shares.create', { params: { sessionId }, body: { days: 30 } })
  return { sessionId, secret: share.secret, fileId: attachment.id }
}

describe('a backup that is restored into another deployment', () => {
  it('gives everybody their data under their new id, and nobody anything of others', async () => {
    const [ann, ben, eve] = await Promise.all([source.newUser(), source.newUser(), source.newUser()])
    await grantAdmin(source, ann.email)
    const [ofAnn, ofBen] = [await fill(ann, 'Amber'), await fill(ben, 'Birch')]
    await fill(eve, 'Canary')
    await enrol(ann)
    const before = { ann: await readAll(ann), ben: await readAll(ben) }

    const begun = Date.now()
    const printed = await operate(source, 'backup', '--out', backup)
    const backedUp = Date.now()
    expect(printed).toMatch(/Complete, from .*: 3 accounts, 1 groups, \d+ rows, \d+ files/)
    expect(printed).toContain('second factors')
    expect(await operate(source, 'backup', '--out', backup, '--verify')).toContain('there and unchanged')
    await expect(operate(source, 'backup', '--out', backup)).rejects.toMatchObject({ code: 2 })

    expect(await operate(source, 'backup', '--out', backup, '--forget', eve.email)).toMatch(/\d\d+ rows and \d+ files/)
    const dry = await operate(target, 'restore', '--users', backup, '--dry-run')
    expect(dry).toContain('Accounts: 2 created.')
    const table = await openStackTable(target)
    expect((await table.readAllRows()).filter(({ PK }) => String(PK).startsWith('U#'))).toEqual([])

    const restoring = Date.now()
    const restored = await operate(target, 'restore', '--users', backup)
    const done = Date.now()
    expect(restored).toContain('Accounts: 2 created.')
    expect(restored.replace(/^.*written.*were there\.$/gm, '')).not.toContain(', 0 written')
    const again = await operate(target, 'restore', '--users', backup)
    expect(again).toContain('Accounts: 2 there already.')
    expect(again).toContain('Rows: 0 written')

    const [newAnn, newBen] = [await signInAnew(ann), await signInAnew(ben)]
    expect(newAnn.sub).not.toBe(ann.sub)
    const withNewState = (all: Awaited<ReturnType<typeof readAll>>) => ({
      ...all,
      assistants: all.assistants.filter(({ name }) => name !== 'Canary'),
    })
    expect(await readAll(newAnn)).toEqual(withNewState(before.ann))
    expect(await readAll(newBen)).toEqual(withNewState(before.ben))
    expect((await newAnn.call('account.read')).is_admin).toBe(true)
    for (const { secret } of [ofAnn, ofBen]) expect((await openLink(target, secret)).status).toBe(200)

    for (const [user, other] of [
      [newAnn, ofBen],
      [newBen, ofAnn],
    ] as const) {
      const read = await user.send('sessions.read', { params: { sessionId: other.sessionId } })
      expect(read.status).toBe(404)
      const link = await user.send('files.link', { params: { attachmentId: other.fileId } })
      expect(link.status).toBe(404)
    }

    // a restored conversation goes on, and a link can be revoked by its owner
    await newAnn.call('chat.send', {
      body: { sessionId: ofAnn.sessionId, messages: [{ role: 'user', content: 'Amber goes on' }] },
    })
    const { shares } = await newAnn.call('shares.list')
    await newAnn.call('shares.revoke', { params: { shareId: shares[0]?.id ?? '' } })
    expect((await openLink(target, ofAnn.secret)).status).toBe(404)
    const { schedules } = await newAnn.call('schedules.list')
    expect(schedules).toMatchObject([{ paused_because: 'restored' }])

    const rows = JSON.stringify(await table.readAllRows())
    for (const { sub } of [ann, ben, eve]) expect(rows).not.toContain(sub)
    expect(rows).not.toContain('Canary')
    console.log(`backup ${backedUp - begun} ms, restore ${done - restoring} ms`)
  })
})
