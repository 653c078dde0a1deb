import { expect, it, onTestFinished } from 'vitest'
import { startStack } from '../support/local-stack.ts'
import { survivesRandomKills } from '../support/random-kills.ts'

it('kill -9 at random moments loses nothing that was acknowledged (the long form: npm run soak)', async () => {
  const stack = await startStack({ env: { DEMO_TOKENS_PER_SECOND: '400' } })
  onTestFinished(() => stack.stop())
  const { messages, replies } = await survivesRandomKills(stack, { rounds: 5, seed: 20261120 })
  expect(messages).toBeGreaterThan(5)
  expect(replies).toBeLessThanOrEqual(messages)
})
