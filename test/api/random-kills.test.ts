import { expect, it, onTestFinished } from 'vitest'
import { startStack } from '../support/local-stack.ts'
import { runRandomKills } from '../support/random-kills.ts'

it(
  'kill -9 at random moments loses nothing that was acknowledged (the long form: npm run soak)',
  { tags: 'trial' },
  async () => {
    const stack = await startStack({ env: { DEMO_TOKENS_PER_SECOND: '400', RATE_LIMIT_FACTOR: '1000' } })
    onTestFinished(() => stack.stop())
    const { messages, replies, saves } = await runRandomKills(stack, { rounds: 3, seed: 20261120 })
    expect(messages).toBeGreaterThan(5)
    expect(replies).toBeLessThanOrEqual(messages)
    expect(Object.values(saves).every((count) => count > 0)).toBe(true)
  },
)
