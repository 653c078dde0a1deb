/** @module-tag long */
import {
  CognitoIdentityProviderClient,
  ConfirmForgotPasswordCommand,
  ForgotPasswordCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { S3Client } from '@aws-sdk/client-s3'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBackupStore } from '../../infra/operate/backup/backup-store.ts'
import { createBackup, type ProductStores } from '../../infra/operate/backup/create-backup.ts'
import { restoreBackup } from '../../infra/operate/backup/restore-backup.ts'
import { formatKey } from '../../infra/operate/migrate/recorded-format.ts'
import { childEnvironment } from '../support/child-environment.ts'
import { converse, notes } from '../support/belongings.ts'
import { grantAdmin } from '../support/grant-admin.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { pngOf } from '../support/png-of.ts'
import { openStackTable } from '../support/stack-table.ts'
import { openUserPool, signInUser, type StackUser } from '../support/stack-user.ts'
import { enrol } from '../support/two-factor.ts'
import { uploadDocument } from '../support/upload.ts'

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'juno-backup-'))
const backup = join(folder, 'first')

let source: LocalStack
/** address of one in the backups */
let administrator: string
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

/** The table, bucket and user pool of a stack. */
async function openStores(stack: LocalStack): Promise<ProductStores> {
  const [{ dynamodb, s3, cognito, table, bucket, credentials }, config] = await Promise.all([
    stack.endpoints(),
    fetch(`${stack.origin}/config.json`),
  ])
  const { userPoolId } = (await config.json()) as { userPoolId: string }
  const options = { region: 'us-east-1', credentials }
  return {
    table: { client: new DynamoDBClient({ ...options, endpoint: dynamodb }), name: table },
    bucket: { client: new S3Client({ ...options, endpoint: s3, forcePathStyle: true }), name: bucket },
    pool: { client: new CognitoIdentityProviderClient({ ...options, endpoint: cognito }), id: userPoolId },
  }
}

/**
 * Repeats work whose calls fail from a number of calls on, which grows, until it ends.
 * @returns how often it was begun
 */
async function repeatCut(
  { table, bucket, pool }: ProductStores,
  step: number,
  work: (stores: ProductStores) => Promise<unknown>,
): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    let left = attempt * step
    const cut = <Client extends object>(client: Client): Client =>
      new Proxy(client, {
        get(of, name) {
          const value = Reflect.get(of, name) as unknown
          if (name !== 'send') return value
          return (command: unknown) => {
            left -= 1
            if (left < 0) return Promise.reject(new Error('cut'))
            return (value as (command: unknown) => Promise<unknown>).call(of, command)
          }
        },
      })
    const stores = {
      table: { ...table, client: cut(table.client) },
      bucket: { ...bucket, client: cut(bucket.client) },
      pool: { ...pool, client: cut(pool.client) },
    }
    const outcome = await work(stores).catch((error: Error) => error)
    if (!(outcome instanceof Error)) return attempt
    if (outcome.message !== 'cut') throw outcome
  }
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
  const [
    { sessions },
    { attachments },
    { schedules },
    { assistants },
    { shares },
    { memories },
    { projects },
  ] = await Promise.all([
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
    assistants: await Promise.all(
      assistants.map(async ({ id, name, mine, picture }) => {
        const bytes = Buffer.from(await (await fetch(picture?.url ?? '')).arrayBuffer())
        return { id, name, mine, showsName: bytes.includes(name) }
      }),
    ),
    shares: shares.map(({ id, title }) => ({ id, title })),
    memories,
    projects: projects.map(({ id, name }) => ({ id, name })),
  }
}

/** The text of a row's compressed bytes. */
const unpack = (data: unknown): string =>
  data instanceof Uint8Array && data[0] === 0x1f ? gunzipSync(data).toString() : ''

const openLink = async (stack: LocalStack, secret: string) =>
  fetch(`${stack.origin}/api/shared-conversation`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret, page: 1 }),
  })

async function fill(user: StackUser, word: string) {
  const sessionId = await converse(user, `${word} question`)
  const { attachment } = await uploadDocument(user, {
    ...notes,
    name: `${word}.txt`,
    content: `${word} file`,
  })
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
  await user.call('assistants.publish', {
    params: { projectId: project.id },
    body: { audience: 'everyone', picture: pngOf(32, 32, { iCCP: word }).toString('base64') },
  })
  await user.call('memory.add', { body: { text: `${word} memory` } })
  const { share } = await user.call('shares.create', { params: { sessionId }, body: { days: 30 } })
  return { sessionId, secret: share.secret, fileId: attachment.id }
}

describe('a backup that is restored into another deployment', () => {
  it('gives everybody their data under their new id, and nobody anything of others', async () => {
    const [ann, ben, eve, fay] = (await Promise.all(Array.from({ length: 4 }, () => source.newUser()))) as [
      StackUser,
      StackUser,
      StackUser,
      StackUser,
    ]
    administrator = ann.email
    await grantAdmin(source, ann.email)
    const [ofAnn, ofBen] = [await fill(ann, 'Amber'), await fill(ben, 'Birch')]
    await fill(eve, 'Canary')
    const { share: ofFay } = await fay.call('shares.create', {
      params: { sessionId: await converse(fay, 'Fir question') },
      body: { days: 30 },
    })
    await operate(source, 'admin', 'disable', '--email', fay.email)
    expect((await openLink(source, ofFay.secret)).status).toBe(404)
    await enrol(ann)
    const before = { ann: await readAll(ann), ben: await readAll(ben) }

    // ends after ever so many calls, and goes on
    const stores = await openStores(source)
    const store = openBackupStore(backup)
    const options = { product: '1.0.0', now: () => new Date(), report: () => undefined }
    expect(await repeatCut(stores, 2, (cut) => createBackup(cut, store, options))).toBeGreaterThan(3)
    const printed = await operate(source, 'backup', '--out', backup, '--verify')
    expect(printed).toMatch(/Complete, from .*: 4 accounts, 1 groups, \d+ rows, \d+ files/)
    expect(printed).toContain('second factors')
    expect(printed).toContain('there and unchanged')
    await expect(operate(source, 'backup', '--out', backup)).rejects.toMatchObject({ code: 2 })
    await expect(operate(source, 'restore', '--users', backup)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the deployment of which the backup was made') as string,
    })

    expect(await operate(source, 'backup', '--out', backup, '--forget', eve.email)).toMatch(
      /\d\d+ rows and \d+ files/,
    )
    const dry = await operate(target, 'restore', '--users', backup, '--dry-run')
    expect(dry).toContain('Accounts: 3 created.')
    expect(dry).toContain(`Administrators by it: ${ann.email}.`)
    const table = await openStackTable(target)
    expect((await table.readAllRows()).filter(({ PK }) => String(PK).startsWith('U#'))).toEqual([])
    const isFormatRecorded = async () => (await table.readAllRows()).some(({ PK }) => PK === formatKey.PK)
    await operate(target, 'migrate')
    expect(await isFormatRecorded()).toBe(true)

    const attempts = await repeatCut(await openStores(target), 15, (cut) =>
      restoreBackup(cut, store, { ...options, dryRun: false, merge: false }),
    )
    expect(attempts).toBeGreaterThan(3)
    // the rows may be an earlier release's
    expect(await isFormatRecorded()).toBe(false)
    // once it is complete, it would bring back what people have deleted since
    await expect(operate(target, 'restore', '--users', backup)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The deployment is in use') as string,
    })
    const again = await operate(target, 'restore', '--users', backup, '--merge')
    expect(again).toContain('Accounts: 3 left as they are: an earlier run')
    expect(again).toContain('Rows: 0 written, 0 were there')

    const [newAnn, newBen] = [await signInAnew(ann), await signInAnew(ben)]
    expect(newAnn.sub).not.toBe(ann.sub)
    const withNewState = (all: Awaited<ReturnType<typeof readAll>>) => ({
      ...all,
      assistants: all.assistants.filter(({ name }) => name !== 'Canary'),
    })
    expect(await readAll(newAnn)).toEqual(withNewState(before.ann))
    expect(await readAll(newBen)).toEqual(withNewState(before.ben))
    expect(before.ann.assistants.every(({ showsName }) => showsName)).toBe(true)
    expect(Object.values(before.ann).every((list) => list.length > 0)).toBe(true)
    expect((await newAnn.call('account.read')).is_admin).toBe(true)
    for (const { secret } of [ofAnn, ofBen]) expect((await openLink(target, secret)).status).toBe(200)
    // a disabled account's link opens when the account does
    expect((await openLink(target, ofFay.secret)).status).toBe(404)
    await operate(target, 'admin', 'enable', '--email', fay.email)
    expect((await openLink(target, ofFay.secret)).status).toBe(200)

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
    // the same backup again brings nothing back that was deleted
    await newBen.call('sessions.delete', { params: { sessionId: ofBen.sessionId } })
    expect(await operate(target, 'restore', '--users', backup, '--merge')).toContain('Rows: 0 written')
    expect((await openLink(target, ofAnn.secret)).status).toBe(404)
    const deleted = await newBen.send('sessions.read', { params: { sessionId: ofBen.sessionId } })
    expect(deleted.status).toBe(404)
    const { schedules } = await newAnn.call('schedules.list')
    expect(schedules).toMatchObject([{ paused_because: 'restored' }])

    // the log names people by ids and titles, also after an erasure
    const rows = (await table.readAllRows()).filter(({ PK }) => !String(PK).startsWith('AUDIT#'))
    const texts = rows.map((row) => JSON.stringify(row) + unpack(row['data']))
    for (const word of [ann.sub, ben.sub, eve.sub, eve.email, 'Canary'])
      expect(rows.filter((_, at) => texts[at]?.includes(word)).map(({ PK, SK }) => ({ PK, SK }))).toEqual([])
    const log = JSON.stringify(
      (await table.readAllRows()).filter(({ PK }) => String(PK).startsWith('AUDIT#')),
    )
    for (const word of [ann.sub, ben.sub, eve.email]) expect(log.includes(word)).toBe(false)
    expect(log.includes(newAnn.sub)).toBe(true)
  })

  it('is refused by a deployment that is in use, unless asked', async () => {
    const other = await target.newUser()
    const second = join(folder, 'second')
    await operate(source, 'admin', 'sign-out', '--email', administrator)
    await operate(source, 'backup', '--out', second)
    await expect(operate(target, 'restore', '--users', second)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The deployment is in use') as string,
    })
    expect(await operate(target, 'restore', '--users', second, '--merge', '--dry-run')).toContain(
      'Accounts: 3 there already: they keep the groups that they have.',
    )
    // who is no administrator any more does not become one again
    expect(await operate(target, 'admin', 'show', '--email', administrator)).toContain('admins')
    await operate(target, 'admin', 'revoke-admin', '--email', administrator)
    expect(await operate(target, 'restore', '--users', second, '--merge')).not.toContain(
      'Administrators by it',
    )
    expect(await operate(target, 'admin', 'show', '--email', administrator)).not.toContain('admins')
    expect((await other.call('sessions.list')).sessions).toEqual([])
    // what the sign-out there has ended is added to what the reset here had ended
    const listEnds = async (stack: LocalStack) =>
      (await (await openStackTable(stack)).readAllRows())
        .filter(({ SK }) => SK === 'ENDED')
        .flatMap(({ ended }) => (ended as { to: number }[]).map(({ to }) => to))
    expect(await listEnds(target)).toEqual(expect.arrayContaining(await listEnds(source)))
  })

  it('is refused when a part is damaged or missing, or the manifest is', async () => {
    const names = await readdir(backup)
    const part = join(backup, names.find((name) => name.startsWith('rows-')) ?? '')
    const bytes = await readFile(part)
    const refusal = (message: string) => ({ code: 2, stderr: expect.stringContaining(message) as string })
    await truncate(part, bytes.length - 1)
    await expect(operate(target, 'backup', '--out', backup, '--verify')).rejects.toMatchObject(
      refusal('is damaged'),
    )
    await expect(operate(target, 'restore', '--users', backup)).rejects.toMatchObject(refusal('is damaged'))
    await rm(part)
    await expect(operate(target, 'restore', '--users', backup)).rejects.toMatchObject(refusal('is missing'))
    await writeFile(part, bytes)
    await operate(target, 'backup', '--out', backup, '--verify')
    await rm(join(backup, 'manifest.json'))
    await expect(operate(target, 'restore', '--users', backup)).rejects.toMatchObject(
      refusal('There is no complete backup'),
    )
  })
})
