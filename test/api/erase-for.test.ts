/** @module-tag long */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { childEnvironment } from '../support/child-environment.ts'
import { demoStack } from '../support/shared-stack.ts'
import { listPoolEmails } from '../support/smoke.ts'
import { openStackTable } from '../support/stack-table.ts'
import { enrol } from '../support/two-factor.ts'

const run = promisify(execFile)

const stack = await demoStack()

const runErase = (...options: string[]) =>
  run(process.execPath, ['infra/operate/erase.ts', '--url', stack.origin, ...options], {
    env: { ...childEnvironment, LOCAL_DATA_DIR: stack.dataDir },
  })

it(
  'npm run erase asks first, then erases everything of a user who cannot sign in, with or without a second factor',
  { tags: 'trial' },
  async () => {
    const [ann, ben] = await Promise.all([stack.newUser(), stack.newUser()])
    const sessionId = crypto.randomUUID()
    await ann.call('chat.send', { body: { messages: [{ role: 'user', content: 'A canary' }], sessionId } })
    await enrol(ann)

    await expect(runErase('--email', ann.email)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^The account of \S+ at \S+, made on [\d-]{10}, would be permanently erased\./,
      ),
    })
    expect(await listPoolEmails(stack)).toContain(ann.email)

    const { stdout } = await runErase('--email', ann.email, '--yes')
    expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({
      held: { conversations: 1, messages: 2 },
    })
    const emails = await listPoolEmails(stack)
    expect(emails).toContain(ben.email)
    expect(emails).not.toContain(ann.email)
    const table = await openStackTable(stack)
    expect(await table.readRows(ann.sub)).toEqual([])
    table.close()
  },
)

it('npm run erase refuses users whom it cannot help', async () => {
  await expect(runErase('--email', 'nobody@example.com', '--yes')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Nobody signs in with nobody@example\.com and a password\./),
  })
  await expect(runErase()).rejects.toMatchObject({
    code: 2,
    stderr: 'Say whose account: --email ann@example.org\n',
  })
})
