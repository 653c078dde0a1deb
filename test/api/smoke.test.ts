/** @module-tag long */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureWebBuild } from '../../infra/local/web-build.ts'
import { says, startFakeModel, type ModelBehaviour } from '../support/fake-model-server.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { listPoolEmails, runSmokeTest } from '../support/smoke.ts'
import { openStackTable } from '../support/stack-table.ts'

let stack: LocalStack
let otherEmail: string
beforeAll(async () => {
  await ensureWebBuild()
  // a reply of several seconds: a short one could end while this process waits for a processor, and arrive in one piece
  stack = await startStack({ env: { DEMO_TOKENS_PER_SECOND: '100' } })
  otherEmail = (await stack.newUser()).email
})
afterAll(() => stack.stop())

/** What a smoke test must not leave behind: users, and the question in the table. */
async function findLeftovers() {
  const table = await openStackTable(stack)
  try {
    return {
      users: await listPoolEmails(stack),
      question: (await table.readAllAsText()).includes('Count from one to sixty'),
    }
  } finally {
    table.close()
  }
}

it('INFRA-08 INFRA-11 opens the page, signs in, reads a streamed reply and one with a tool call, finds the conversation, and leaves nothing behind', async () => {
  const { code, output } = await runSmokeTest(stack)
  expect(output.split('\n')).toEqual([
    stack.origin,
    expect.stringMatching(/^ok {5}configuration +\d+ ms {2}version \d+\.\d+\.\d+$/),
    expect.stringMatching(/^ok {5}page +\d+ ms/),
    expect.stringMatching(/^ok {5}health +\d+ ms/),
    expect.stringMatching(/^ok {5}without sign-in +\d+ ms {2}refused with 401$/),
    expect.stringMatching(/^ok {5}temporary user +\d+ ms {2}smoke-test-[0-9a-f]{16}@example\.com$/),
    expect.stringMatching(/^ok {5}sign-in +\d+ ms/),
    expect.stringMatching(/^ok {5}streamed reply +\d+ ms {2}first text after \d+ ms, \d+ pieces in \d+ ms$/),
    expect.stringMatching(/^ok {5}file +\d+ ms {2}uploaded, and its text extracted$/),
    expect.stringMatching(/^ok {5}tool call +\d+ ms {2}read_attachment read smoke-test\.txt$/),
    expect.stringMatching(/^ok {5}conversation +\d+ ms {2}listed as "Count from one/),
    expect.stringMatching(/^ok {5}clean up +\d+ ms/),
    '',
  ])
  expect(code).toBe(0)
  expect(await findLeftovers()).toEqual({ users: [otherEmail], question: false })
})

it('keeps the user and the conversation on request', { tags: 'trial' }, async () => {
  const { code, output } = await runSmokeTest(stack, { options: ['--keep'] })
  expect(code).toBe(0)
  const [, email, password] = /left out: (\S+), password (\S+)/.exec(output) ?? []
  expect(password?.length).toBeGreaterThan(99)
  expect(await findLeftovers()).toEqual({
    users: expect.arrayContaining([otherEmail, email]),
    question: true,
  })
})

describe('with a failing model', () => {
  let model: Awaited<ReturnType<typeof startFakeModel>>
  let emailsBefore: string[]
  beforeAll(async () => {
    model = await startFakeModel(says('Fine.'))
    await stack.restart({ OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'sk-any' })
    emailsBefore = (await listPoolEmails(stack)).toSorted()
  })
  afterAll(() => model.close())

  const refuses: ModelBehaviour = (response) =>
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}')

  it('says why and what to do about it, and leaves no user', { tags: 'trial' }, async () => {
    model.behave(refuses)
    const { code, output } = await runSmokeTest(stack)
    expect(output).toMatch(
      /\nFAILED streamed reply +\d+ ms {2}Service error: The assistant's model refused this product's key\./,
    )
    expect(output).toMatch(/\n {7}A refused key: put the right one into the secret ModelKeySecret/)
    expect(output).toMatch(/\nok {5}clean up/)
    expect(code).toBe(1)
    expect((await listPoolEmails(stack)).toSorted()).toEqual(emailsBefore)
  })

  it('reports a reply that arrives in one piece as not streamed', { tags: 'trial' }, async () => {
    model.behave(says('Fine.'))
    const { code, output } = await runSmokeTest(stack)
    expect(output).toMatch(/\nFAILED streamed reply +\d+ ms {2}the whole reply came in one piece/)
    expect(code).toBe(1)
  })

  it('leaves no user when it is interrupted', { tags: 'trial' }, async () => {
    model.behave(() => undefined)
    const { code, output } = await runSmokeTest(stack, {
      onLine: (line, interrupt) => {
        if (/^ok +sign-in/.test(line)) interrupt()
      },
    })
    expect(output).toMatch(/\nFAILED streamed reply +\d+ ms {2}interrupted\nok {5}clean up/)
    expect(code).toBe(130)
    expect((await listPoolEmails(stack)).toSorted()).toEqual(emailsBefore)
  })
})

it(
  'reports an address where nothing answers, and an option that does not exist',
  { tags: 'trial' },
  async () => {
    const nowhere = await runSmokeTest({ ...stack, origin: 'http://127.0.0.1:1' })
    expect(nowhere).toEqual({
      code: 2,
      output: 'Nothing answers at http://127.0.0.1:1. Start it first: npm start\n',
    })
    const unknown = await runSmokeTest(stack, { options: ['--ur', 'x'] })
    expect(unknown).toMatchObject({ code: 2, output: expect.stringContaining("Unknown option '--ur'") })
  },
)
